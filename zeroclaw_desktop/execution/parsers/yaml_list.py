"""YAML lists of actions: a small, unambiguous part of YAML 1.2, with the place of every fault.

Only parsing events are taken from PyYAML, nothing is constructed by it. Refused, because a reader and a
person may take them differently or because they serve attacks: anchors and aliases ('billion laughs'),
tags, repeated and complex keys, more than one document, words that YAML 1.1 takes for booleans (on, off,
yes, no), and numbers that are not plain decimals (010 is eight and 1:30 is ninety in YAML 1.1). Rules for
scalars: YAML 1.2.2, 10.2 JSON schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.contracts.actions import ActionFault, ActionPayload, Source
from zeroclaw_desktop.execution.errors import FaultError
from zeroclaw_desktop.execution.parsers.envelope import payload_of
from zeroclaw_desktop.execution.parsers.places import (
    Place,
    expected,
    found,
    found_at,
    found_text,
    place_at,
    printable,
    unreadable,
)

if TYPE_CHECKING:
    from zeroclaw_desktop.execution.parsers.yaml_tree import YamlTree

MAX_CHARACTERS = 32_768
MAX_ACTIONS = 256


class YamlListParser:
    """Reads a YAML list of actions; implements Parser."""

    name = "yaml"
    description = "A list of actions in YAML"
    suffixes = (".yaml", ".yml")

    def parse(self, text: str, *, source: Source) -> tuple[ActionPayload, ...]:
        """See Parser; raises FaultError with the faults of all actions."""
        if len(text) > MAX_CHARACTERS:
            wanted, got = expected("length", limit=MAX_CHARACTERS), found("characters", count=len(text))
            raise FaultError([unreadable(place_at(text, MAX_CHARACTERS), wanted, got)])
        from zeroclaw_desktop.execution.parsers.yaml_tree import YamlTree

        tree = YamlTree(text)
        rows = tree.read()
        if not isinstance(rows, list) or not rows:
            tree.refuse(tree.start, expected("yaml_list"))
        if len(rows) > MAX_ACTIONS:
            wanted, got = expected("actions", limit=MAX_ACTIONS), found("actions", count=len(rows))
            raise FaultError([unreadable(tree.places[f"[{MAX_ACTIONS}]"], wanted, got)])
        payloads: list[ActionPayload] = []
        faults: list[ActionFault] = []
        for index, row in enumerate(rows):
            try:
                payloads.append(_action(row, index, tree, source))
            except FaultError as error:
                faults += error.faults
        if faults:
            raise FaultError(faults)
        return tuple(payloads)


def _action(row: Any, index: int, tree: YamlTree, source: Source) -> ActionPayload:
    base = f"[{index}]"
    if not isinstance(row, dict):
        got = found_text(printable(str(row)) if isinstance(row, str) else None)
        place = tree.places[base]
        if not isinstance(row, str):
            got = found_at(tree.text, tree.offsets[base])
        raise FaultError([unreadable(place, expected("yaml_action"), got)])

    def locate(path: str) -> Place:
        while path and f"{base}.{path}" not in tree.places:
            path = path.rpartition(".")[0]
        return tree.places[f"{base}.{path}" if path else base]

    return payload_of(row, source, locate)
