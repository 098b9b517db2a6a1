# Builds from a source archive, by a Rust toolchain of the system:
#
#     git archive --prefix=carryless-0.1.0/ -o carryless-0.1.0.tar.gz HEAD
#     CARRYLESS_ARCHIVE=$PWD/carryless-0.1.0.tar.gz vcpkg install carryless --overlay-ports=packaging/vcpkg
if(NOT EXISTS "$ENV{CARRYLESS_ARCHIVE}")
  message(FATAL_ERROR "CARRYLESS_ARCHIVE must name the source archive")
endif()
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "$ENV{CARRYLESS_ARCHIVE}")
find_program(CARGO cargo REQUIRED)

# There is no debug build: the kernels need the optimiser.
set(VCPKG_BUILD_TYPE release)
set(ENV{CARGO_TARGET_DIR} "${CURRENT_BUILDTREES_DIR}/${TARGET_TRIPLET}-rel")
vcpkg_execute_required_process(
  COMMAND "${CARGO}" run --quiet --locked --package xtask -- capi --archive
  WORKING_DIRECTORY "${SOURCE_PATH}"
  LOGNAME "build-${TARGET_TRIPLET}-rel")
file(GLOB unpacked "$ENV{CARGO_TARGET_DIR}/capi/unpacked/carryless-c-*")
file(INSTALL "${unpacked}/include" "${unpacked}/lib" DESTINATION "${CURRENT_PACKAGES_DIR}")
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  file(GLOB other_kind "${CURRENT_PACKAGES_DIR}/lib/libcarryless.so*")
else()
  set(other_kind "${CURRENT_PACKAGES_DIR}/lib/libcarryless.a")
endif()
file(REMOVE ${other_kind})
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/carryless)
vcpkg_fixup_pkgconfig()
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE-APACHE" "${SOURCE_PATH}/LICENSE-MIT")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
