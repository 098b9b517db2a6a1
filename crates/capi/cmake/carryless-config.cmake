# find_package(carryless) gives the targets carryless::carryless, the shared library, and carryless::static, where they are installed.
# The prefix is the first folder above this file with the header: installers put this file in different depths.
set(_carryless_prefix "${CMAKE_CURRENT_LIST_DIR}")
while(NOT EXISTS "${_carryless_prefix}/include/carryless.h")
  get_filename_component(_carryless_parent "${_carryless_prefix}" DIRECTORY)
  if(_carryless_parent STREQUAL _carryless_prefix)
    set(carryless_FOUND FALSE)
    set(carryless_NOT_FOUND_MESSAGE "no include/carryless.h above ${CMAKE_CURRENT_LIST_DIR}")
    return()
  endif()
  set(_carryless_prefix "${_carryless_parent}")
endwhile()

set(_carryless_folders "${_carryless_prefix}/lib" "${_carryless_prefix}/lib64")
if(CMAKE_LIBRARY_ARCHITECTURE)
  list(APPEND _carryless_folders "${_carryless_prefix}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
endif()
foreach(_carryless_kind SHARED STATIC)
  set(_carryless_name "${CMAKE_${_carryless_kind}_LIBRARY_PREFIX}carryless${CMAKE_${_carryless_kind}_LIBRARY_SUFFIX}")
  # Otherwise the library of another prefix, which an earlier run has found, would stay.
  unset(CARRYLESS_${_carryless_kind} CACHE)
  find_file(CARRYLESS_${_carryless_kind} "${_carryless_name}" PATHS ${_carryless_folders} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  mark_as_advanced(CARRYLESS_${_carryless_kind})
endforeach()

if(CARRYLESS_SHARED AND NOT TARGET carryless::carryless)
  add_library(carryless::carryless SHARED IMPORTED)
  set_target_properties(carryless::carryless PROPERTIES
    IMPORTED_LOCATION "${CARRYLESS_SHARED}"
    IMPORTED_SONAME "libcarryless.so.${carryless_VERSION_MAJOR}"
    INTERFACE_INCLUDE_DIRECTORIES "${_carryless_prefix}/include")
endif()
if(CARRYLESS_STATIC AND NOT TARGET carryless::static)
  # The libraries of the system that it needs stand in carryless.pc.
  get_filename_component(_carryless_folder "${CARRYLESS_STATIC}" DIRECTORY)
  set(_carryless_system "")
  if(EXISTS "${_carryless_folder}/pkgconfig/carryless.pc")
    file(STRINGS "${_carryless_folder}/pkgconfig/carryless.pc" _carryless_system REGEX "^Libs.private:")
    string(REGEX REPLACE "^Libs.private: *" "" _carryless_system "${_carryless_system}")
    separate_arguments(_carryless_system UNIX_COMMAND "${_carryless_system}")
  endif()
  add_library(carryless::static STATIC IMPORTED)
  set_target_properties(carryless::static PROPERTIES
    IMPORTED_LOCATION "${CARRYLESS_STATIC}"
    INTERFACE_LINK_LIBRARIES "${_carryless_system}"
    INTERFACE_INCLUDE_DIRECTORIES "${_carryless_prefix}/include")
endif()
if(NOT CARRYLESS_SHARED AND NOT CARRYLESS_STATIC)
  set(carryless_FOUND FALSE)
  set(carryless_NOT_FOUND_MESSAGE "no library in ${_carryless_folders}")
endif()
