"""Copies what stands between EMUL-BOOT and EMUL-EXIT on stdin to stdout as it comes, and writes the exit status
that EMUL-EXIT gives, or 125 where there is none, to the file named by the first argument."""
import re
import sys

status, running, held = 125, False, b""
out = sys.stdout.buffer
for line in sys.stdin.buffer:
    end = re.fullmatch(rb"EMUL-EXIT (\d+)\n", line)
    if line == b"EMUL-BOOT\n":
        running = True
    elif end:
        status, running = int(end[1]), False
        # init prints one newline before EMUL-EXIT so that it starts a line; that newline is not the test's.
        held = held.removesuffix(b"\n")
    elif running:
        out.write(held)
        held = line if line == b"\n" else b""
        out.write(b"" if held else line)
        out.flush()
out.write(held)
out.flush()
with open(sys.argv[1], "w") as f:
    f.write(str(status))
