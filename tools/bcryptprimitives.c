// The only function of bcryptprimitives.dll that Rust's standard library imports. Wine 8 has no such library; `cargo xtask
// windows` puts this one beside the command.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    return SystemFunction036(buffer, (ULONG)length);
}
