#!/bin/sh
# The linker of this folder's builds. rustc lists the exported symbols in a version script without a version, and linkers take no second script: this one
# puts carryless.map in its place. rustc would take a script named link for the linker of Windows. CARRYLESS_CC is another C compiler than cc.
case " $* " in
*" -Wl,-soname,libcarryless.so."*)
    map=$(dirname "$0")/carryless.map
    for argument; do
        shift
        case $argument in
        -Wl,--version-script=*) argument=-Wl,--version-script=$map ;;
        esac
        set -- "$@" "$argument"
    done
    ;;
esac
exec "${CARRYLESS_CC:-cc}" "$@"
