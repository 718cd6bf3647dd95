"""All readers by name: JSON, YAML lists, sentences, and those of third parties (EX-2)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from zeroclaw_desktop.contracts.actions import ActionPayload, Source
from zeroclaw_desktop.execution.parsers.errors import ParserExistsError, ParserNotFoundError
from zeroclaw_desktop.execution.parsers.json_text import JsonParser
from zeroclaw_desktop.execution.parsers.protocol import Parser, SentenceReader
from zeroclaw_desktop.execution.parsers.text import TextParser
from zeroclaw_desktop.execution.parsers.yaml_list import YamlListParser

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from zeroclaw_desktop.execution.parsers.plugins import PluginProblem

BUILT_IN = "built-in"


@dataclass(frozen=True)
class RegisteredParser:
    """A reader and who brought it."""

    parser: Parser
    owner: str


class ParserRegistry:
    """The readers; a name and an end of a file name belong to one of them."""

    def __init__(self) -> None:
        self._parsers: dict[str, RegisteredParser] = {}

    def register(self, parser: Parser, owner: str = BUILT_IN) -> None:
        """Add a reader.

        Raises:
            ParserExistsError: its name or one of its suffixes is taken.
        """
        taken = self._parsers.get(parser.name) or next(
            (row for row in self._parsers.values() if set(row.parser.suffixes) & set(parser.suffixes)), None
        )
        if taken is not None:
            raise ParserExistsError(
                f"The reader '{parser.name}' of {owner} cannot be added: '{taken.parser.name}' of "
                f"{taken.owner} has the same name or reads the same files.",
                hint="Remove one of the two packages.",
                details={"parser": parser.name, "owner": owner, "taken_by": taken.owner},
            )
        self._parsers[parser.name] = RegisteredParser(parser, owner)

    def unregister(self, name: str) -> None:
        """Remove a reader.

        Raises:
            ParserNotFoundError: there is none of this name.
        """
        self.resolve(name)
        del self._parsers[name]

    def resolve(self, name: str) -> Parser:
        """Return a reader by its name.

        Raises:
            ParserNotFoundError: with near names in ``details["near"]``.
        """
        row = self._parsers.get(name)
        if row is not None:
            return row.parser
        near = difflib.get_close_matches(name, list(self._parsers), 3, 0.6)
        raise ParserNotFoundError(
            f"There is no reader called '{name}'{f'; did you mean {near[0]}?' if near else '.'}",
            hint=f"Known: {', '.join(sorted(self._parsers))}.",
            details={"parser": name, "near": near},
        )

    def list_parsers(self) -> list[RegisteredParser]:
        """Every reader, by name."""
        return [self._parsers[name] for name in sorted(self._parsers)]

    def for_file(self, name: str) -> Parser:
        """Return the reader for a file, by the end of its name.

        Raises:
            ParserNotFoundError: none reads such files.
        """
        suffix = PurePath(name).suffix.lower()
        for row in self._parsers.values():
            if suffix and suffix in row.parser.suffixes:
                return row.parser
        known = sorted(end for row in self._parsers.values() for end in row.parser.suffixes)
        raise ParserNotFoundError(
            f"No reader takes files like '{PurePath(name).name}'.",
            hint=f"Known ends of names: {', '.join(known)}.",
            details={"file": name, "near": []},
        )

    def parse(self, name: str, text: str, *, source: Source) -> tuple[ActionPayload, ...]:
        """Read a text with the reader of a name; '' guesses the form (see ``form_of``).

        Raises:
            ParserNotFoundError: there is no such reader.
            FaultError: what was expected and where.
        """
        return tuple(self.resolve(name or form_of(text)).parse(text, source=source))

    def add_plugins(self, found: Iterable[EntryPoint] | None = None) -> list[PluginProblem]:
        """Register the readers of third parties; a broken or clashing one is left out.

        Args:
            found: entry points; by default those of the group ``zeroclaw_desktop.parsers``.

        Returns:
            Why each of the others was left out.
        """
        from zeroclaw_desktop.execution.parsers.plugins import PluginProblem, load_plugins

        readers, problems = load_plugins(found)
        for reader, owner in readers:
            try:
                self.register(reader, owner)
            except ParserExistsError as error:
                problems.append(PluginProblem(reader.name, owner, error.message))
        return problems


def form_of(text: str) -> str:
    """Guess the built-in form of a text by its first sign: ``json``, ``yaml`` or ``text``."""
    start = text.lstrip()[:2]
    if start[:1] == "{":
        return "json"
    return "yaml" if start[:1] in ("[", "#", "%") or start in ("- ", "-\n", "--") else "text"


def standard_parsers(reader: SentenceReader | None = None, *, plugins: bool = True) -> ParserRegistry:
    """The registry of the product.

    Args:
        reader: what understands sentences; the built-in patterns when it is left out.
        plugins: whether readers of third parties are added; their problems are logged.
    """
    registry = ParserRegistry()
    for parser in (JsonParser(), YamlListParser(), TextParser(reader)):
        registry.register(parser)
    if plugins:
        registry.add_plugins()
    return registry
