# Boot sector of the emulated machine: enter 32-bit protected mode, copy the images that `table` lists from the
# ATA disk to memory by programmed I/O, and jump to the kernel's PVH entry. mkimage.py fills entry, info, table.
        .code16
        .globl _start
_start: cli
        xor     %ax, %ax
        mov     %ax, %ds
        in      $0x92, %al              # A20 on, through the fast gate
        or      $2, %al
        and     $0xfe, %al
        out     %al, $0x92
        lgdtl   gdtr
        mov     %cr0, %eax
        or      $1, %al
        mov     %eax, %cr0
        ljmp    $8, $protected

        .code32
protected:
        mov     $0x10, %ax
        mov     %ax, %ds
        mov     %ax, %es
        mov     %ax, %ss
        mov     $0x7000, %esp
        cld
        mov     $table, %esi
image:  mov     0(%esi), %ebx           # first sector
        mov     4(%esi), %ebp           # pieces of 256 sectors
        mov     8(%esi), %edi           # destination
        test    %ebp, %ebp
        jz      start
piece:  mov     $0x1f2, %dx             # sector count; 0 means 256
        xor     %al, %al
        out     %al, %dx
        inc     %dx                     # 28-bit sector address, low byte first
        mov     %ebx, %eax
        out     %al, %dx
        inc     %dx
        shr     $8, %eax
        out     %al, %dx
        inc     %dx
        shr     $8, %eax
        out     %al, %dx
        inc     %dx
        shr     $8, %eax
        or      $0xe0, %al
        out     %al, %dx
        inc     %dx
        mov     $0x20, %al              # READ SECTORS
        out     %al, %dx
        mov     $256, %eax
        push    %eax
sector: mov     $0x1f7, %dx
busy:   in      %dx, %al
        test    $0x80, %al
        jnz     busy
        test    $0x08, %al
        jz      busy
        mov     $0x1f0, %dx
        mov     $128, %ecx
        rep insl
        decl    (%esp)
        jnz     sector
        pop     %eax
        add     $256, %ebx
        dec     %ebp
        jnz     piece
        add     $12, %esi
        jmp     image
start:  mov     info, %ebx
        jmp     *entry

        .align  8
gdt:    .quad   0, 0x00cf9a000000ffff, 0x00cf92000000ffff
gdtr:   .word   23
        .long   gdt
        .org    0x1a0
entry:  .long   0
info:   .long   0
table:  .fill   4*3, 4, 0
        .org    0x1fe
        .word   0xaa55
