"""Compresses a wheel once more, by Zopfli (`pip install zopflipy`), which makes it some percent smaller: python recompress.py WHEEL

What it unpacks to is the same.
"""

import os
import sys

import zopfli


def main(wheel: str) -> None:
    part = wheel + ".part"
    with zopfli.ZipFile(wheel) as before, zopfli.ZipFile(part, "w") as after:
        for entry in before.infolist():
            after.writestr(entry, before.read(entry))
    os.replace(part, wheel)


if __name__ == "__main__":
    main(sys.argv[1])
