"""Addresses as settings, such as ``redis://user:password@host:6379/0``: their form, and their password apart.

A password is never written to the settings file. ``***`` stands in its place: it says that there is one and
that it is kept elsewhere (see the room ``vault``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote, urlencode

MARK = "***"
PASSWORD_OPTION = "password"
_MISPLACED_AT = "'@' after the host: write / ? # @ in user, password and path as %2F %3F %23 %40"


class Address(NamedTuple):
    """An address taken apart.

    Attributes:
        bare: the address with MARK in the place of its password; without a password as it was given.
        password: what stood there, decoded; '' when there was none or only MARK.
        place: who is meant where, ``user@host:port``: a password belongs to that and to nothing else.
    """

    bare: str
    password: str
    place: str

    @property
    def marked(self) -> bool:
        """Whether it has a password, here or elsewhere."""
        return f":{MARK}@" in self.bare

    @property
    def where(self) -> str:
        """Host and port, or the path of a socket: what may be shown to everybody."""
        return self.place.rpartition("@")[2]


def read_address(text: str) -> Address:
    """Take an address apart; a text that is no address is its own bare form.

    A password among the options (``?password=``, which Redis libraries understand) is moved to the user.
    """
    text = text.strip()
    head, separator, rest = text.partition("://")
    if not separator:
        return Address(text, "", "")
    end = next((at for at, sign in enumerate(rest) if sign in "/?#"), len(rest))
    authority, tail = rest[:end], rest[end:]
    user_part, at, host = authority.rpartition("@")
    user, colon, password = user_part.partition(":")
    query = tail.partition("?")[2].partition("#")[0]
    options = parse_qsl(query, keep_blank_values=True)
    given = [value for name, value in options if name == PASSWORD_OPTION]
    if given:
        kept = urlencode([(name, value) for name, value in options if name != PASSWORD_OPTION], safe="/:,")
        tail = tail.replace(f"?{query}", f"?{kept}" if kept else "", 1)
        colon, password = ":", password or quote(given[-1], safe="")
    has_password = bool(colon and password)
    if has_password:
        user_part, at = f"{user}:{MARK}", "@"
    place = f"{unquote(user)}@{host.lower() or tail.partition('?')[0]}"
    bare = f"{head}://{user_part}{at}{host}{tail}"
    return Address(bare, "" if unquote(password) == MARK else unquote(password), place)


def with_password(bare: str, password: str) -> str:
    """The whole address; the password replaces the mark, or is added where there is none."""
    head, _, rest = bare.partition("://")
    end = next((at for at, sign in enumerate(rest) if sign in "/?#"), len(rest))
    user_part, _, host = rest[:end].rpartition("@")
    user = user_part.partition(":")[0]
    return f"{head}://{user}:{quote(password, safe='')}@{host}{rest[end:]}"


def address_fault(text: str, schemes: Sequence[str]) -> str:
    """Say what is wrong with the form of an address; '' when nothing is. Never repeats the text.

    Args:
        schemes: what it may begin with (``redis``).
    """
    text = text.strip()
    if not text:
        return ""
    head, separator, rest = text.partition("://")
    if not separator or head.lower() not in schemes:
        return f"must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}"
    tail = next((rest[at:] for at, sign in enumerate(rest) if sign in "/?#"), "")
    if "@" in tail:
        # A password with such a sign would be taken for a part of the path, and be written to the file.
        return f"has {_MISPLACED_AT}"
    if any(sign.isspace() or not sign.isprintable() for sign in text):
        return "must have no blanks"
    return ""
