"""Small programs that a board runs while files are copied to it: piece by piece, beside what it has.

A file is written under another name, compared by its hash, and takes its place only when all of them are
right: until then the old program is whole, whatever happens to the cable.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from posixpath import dirname

MARK = "zc:"
"""What begins each line that is for us and not for the log."""
NEW = ".zc-new"
PIECE_BYTES = 2_048
"""Of a file, in one program: the smallest boards have some 30 KB of memory for it."""
_WRITE_BYTES = 192
BOARD_FULL, DIFFERS = "zc-full", "zc-differs"


def probing(needed: int) -> str:
    """Tells what the board runs; fails when its file system has less room.

    Args:
        needed: bytes.
    """
    return (
        "import sys,os\n"
        f"print('{MARK}board',sys.implementation[0],'.'.join([str(n) for n in sys.implementation[1][:3]]))\n"
        "try:\n s=os.statvfs(os.getcwd());room=s[0]*s[3]\n"
        "except (AttributeError,OSError):\n room=None\n"
        f"if room is not None and room<{needed}:\n raise ValueError('{BOARD_FULL} %d'%room)\n"
    )


def folders_of(files: Mapping[str, bytes]) -> list[str]:
    """Folders that the files need, those above first."""
    found = set()
    for name in files:
        folder = dirname(name)
        while folder:
            found.add(folder)
            folder = dirname(folder)
    return sorted(found)


def making_folders(folders: list[str]) -> str:
    """Makes what is not there yet."""
    return f"import os\nfor d in {folders!r}:\n try:\n  os.mkdir(d)\n except OSError:\n  pass\n"


def copying(files: Mapping[str, bytes]) -> Iterator[str]:
    """One program for each piece of each file; it tells how many bytes it has written."""
    for name, content in files.items():
        for start in range(0, max(len(content), 1), PIECE_BYTES):
            piece = content[start : start + PIECE_BYTES]
            writes = [
                f"f.write(d('{base64.b64encode(piece[at : at + _WRITE_BYTES]).decode()}'))\n"
                for at in range(0, len(piece), _WRITE_BYTES)
            ]
            mode = "ab" if start else "wb"
            yield (
                "from binascii import a2b_base64 as d\n"
                f"f=open({name + NEW!r},{mode!r})\n"
                f"{''.join(writes)}f.close()\nprint('{MARK}copied',{len(piece)})\n"
            )


def comparing(files: Mapping[str, bytes]) -> str:
    """Reads the copies back and compares their SHA-256; copies that differ are removed."""
    wanted = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    return (
        "import os\nfrom binascii import hexlify\n"
        "try:\n import hashlib\nexcept ImportError:\n import uhashlib as hashlib\n"
        f"wanted={wanted!r}\nb=bytearray(256)\n"
        "for n in wanted:\n"
        f" h=hashlib.sha256();f=open(n+{NEW!r},'rb')\n"
        " while True:\n  k=f.readinto(b)\n  if not k:\n   break\n  h.update(memoryview(b)[:k])\n"
        " f.close()\n"
        " if hexlify(h.digest()).decode()!=wanted[n]:\n"
        f"  for m in wanted:\n   os.remove(m+{NEW!r})\n"
        f"  raise ValueError('{DIFFERS} '+n)\n"
        f"print('{MARK}same',len(wanted))\n"
    )


def taking_place(files: Mapping[str, bytes]) -> str:
    """Gives the copies their names."""
    return (
        f"import os\nprint('{MARK}swap')\n"
        f"for n in {list(files)!r}:\n"
        " try:\n  os.remove(n)\n except OSError:\n  pass\n"
        f" os.rename(n+{NEW!r},n)\n"
        f"print('{MARK}done')\n"
    )
