"""Makes what the emulated machine boots from.

  mkimage.py kernel VMLINUZ OUT     unpacks a bzImage to OUT, a flat memory image, and OUT.json (where it goes)
  mkimage.py disk KERNEL BOOT INIT BINARY OUT MIB CMDLINE ARGS ENV
"""
import json
import struct
import subprocess
import sys

SECTOR = 512
PIECE = 256 * SECTOR          # what boot.S reads with one ATA command
CYLINDER = 16 * 63 * SECTOR   # Bochs wants whole cylinders
INFO = 0x8000000              # where the PVH start info and the initramfs go
UNPACKERS = {b"\x02\x21": "lz4", b"\x1f\x8b": "gzip", b"\xfd7": "xz", b"\x28\xb5": "zstd"}


def read(path):
    with open(path, "rb") as f:
        return f.read()


def pad(data, unit=PIECE):
    return bytes(data) + bytes(-len(data) % unit)


def unpack(path):
    """The ELF kernel inside a bzImage."""
    image = read(path)
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = ((image[0x1F1] or 4) + 1) * SECTOR + offset
    payload = image[start:start + length]
    (size,) = struct.unpack("<I", payload[-4:])
    # The four size bytes after the stream make lz4 exit 1 when all is well, so judge by the result.
    unpacker = [UNPACKERS[payload[:2]], "-dc"]
    elf = subprocess.run(unpacker, input=payload, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    if len(elf) != size or elf[:4] != b"\x7fELF":
        sys.exit("cannot unpack " + path)
    return elf


def program_headers(elf):
    """(type, file offset, physical address, file size) of each."""
    (table,) = struct.unpack_from("<Q", elf, 32)
    width, count = struct.unpack_from("<HH", elf, 54)
    for i in range(count):
        kind, _, offset, _, address, size = struct.unpack_from("<IIQQQQ", elf, table + i * width)
        yield kind, offset, address, size


def pvh_entry(elf, at, end):
    """The address in the Xen note that names the 32-bit entry, or None."""
    while at < end:
        name_size, size, kind = struct.unpack_from("<III", elf, at)
        name, value = at + 12, at + 12 + (name_size + 3 & ~3)
        if kind == 0x12 and elf[name:name + name_size] == b"Xen\0":   # XEN_ELFNOTE_PHYS32_ENTRY
            return int.from_bytes(elf[value:value + size], "little")
        at = value + (size + 3 & ~3)
    return None


def kernel(vmlinuz, out):
    elf = unpack(vmlinuz)
    headers = list(program_headers(elf))
    loads = [(address, offset, size) for kind, offset, address, size in headers if kind == 1]
    notes = [pvh_entry(elf, offset, offset + size) for kind, offset, _, size in headers if kind == 4]
    entries = [entry for entry in notes if entry is not None]
    if not entries:
        sys.exit("this kernel has no PVH entry")
    low = min(address for address, _, _ in loads)
    flat = bytearray(max(address + size for address, _, size in loads) - low)
    for address, offset, size in loads:
        flat[address - low:address - low + size] = elf[offset:offset + size]
    with open(out, "wb") as f:
        f.write(pad(flat.rstrip(b"\0")))
    with open(out + ".json", "w") as f:
        json.dump({"load": low, "entry": entries[0]}, f)


def cpio(entries):
    """A newc archive of (name, bytes, mode)."""
    parts = []
    for inode, (name, data, mode) in enumerate(entries + [("TRAILER!!!", b"", 0)], 1):
        name = name.encode() + b"\0"
        fields = (inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name), 0)
        parts += [pad(b"070701" + b"".join(b"%08X" % f for f in fields) + name, 4), pad(data, 4)]
    return b"".join(parts)


def start_info(initramfs, mib, cmdline):
    """The PVH start info, one page at INFO; the initramfs follows it."""
    ram = [(0, 0x9F000), (0x100000, (mib << 20) - 0x120000)]
    modules, memory_map = INFO + 64, INFO + 96
    text = memory_map + 24 * len(ram)
    info = struct.pack("<IIIIQQQQII", 0x336EC578, 1, 0, 1, modules, text, 0, memory_map, len(ram), 0).ljust(64, b"\0")
    info += struct.pack("<QQQQ", INFO + 0x1000, len(initramfs), 0, 0)
    info += b"".join(struct.pack("<QQII", start, size, 1, 0) for start, size in ram)
    info += cmdline.encode() + b"\0"
    if len(info) > 0x1000:
        sys.exit("the kernel command line is too long")
    return info.ljust(0x1000, b"\0")


def disk(flat, boot, init, binary, out, mib, cmdline, args, env):
    where = json.loads(read(flat + ".json"))
    folder, file, program = 0o040755, 0o100644, 0o100755
    initramfs = cpio([("dev", b"", folder), ("emul", b"", folder),
                      ("emul/args", read(args), file), ("emul/env", read(env), file),
                      ("init", read(init), program), ("test", read(binary), program)])
    first, second = read(flat), pad(start_info(initramfs, int(mib), cmdline) + initramfs)
    sector = bytearray(read(boot))
    struct.pack_into("<II", sector, 0x1A0, where["entry"], INFO)
    # (first sector, pieces, destination) of each image; the boot sector has the first piece to itself.
    struct.pack_into("<9I", sector, 0x1A8, 256, len(first) // PIECE, where["load"],
                     256 + len(first) // SECTOR, len(second) // PIECE, INFO, 0, 0, 0)
    with open(out, "wb") as f:
        f.write(pad(pad(sector) + first + second, CYLINDER))


if __name__ == "__main__":
    {"kernel": kernel, "disk": disk}[sys.argv[1]](*sys.argv[2:])
