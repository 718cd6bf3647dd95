"""``zeroclaw tools``: which programs for flashing are there, and how to get the others."""

from __future__ import annotations

import argparse
import asyncio
import os
from typing import Any

from zeroclaw_desktop.cli.output import DONE, print_json, print_line
from zeroclaw_desktop.contracts.language import Language

WORDS: dict[Language, dict[str, str]] = {
    "en": {"missing": "missing", "unknown": "version unknown", "install": "install: {}", "boards": "for: {}"},
    "zh": {"missing": "未安装", "unknown": "版本未知", "install": "安装：{}", "boards": "用于：{}"},
}


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add ``tools`` to the parser."""
    tools = subparsers.add_parser("tools", parents=[common], help="list the programs that flashing needs")
    tools.add_argument(
        "--language", choices=("en", "zh"), default="", help="language of the list (default: the window's)"
    )
    tools.set_defaults(run=list_tools)


def list_tools(options: argparse.Namespace) -> int:
    """Print each program with place and version, or the command that installs it."""
    from zeroclaw_desktop.runtime.tool_facts import tool_rows

    rows = asyncio.run(tool_rows())
    if options.json:
        print_json({"tools": rows})
        return DONE
    language: Language = options.language or _language()
    words = WORDS[language]
    for row in rows:
        state = row["version"] or words["unknown"] if row["found"] else words["missing"]
        print_line(f"{row['name']:<12} {state:<16} {row['path']}".rstrip())
        print_line(f"  {row['purpose'][language]}")
        if row["boards"]:
            separator = "、" if language == "zh" else ", "
            print_line("  " + words["boards"].format(separator.join(row["boards"])))
        if not row["found"]:
            print_line("  " + words["install"].format(row["install"]))
    return DONE


def _language() -> Language:
    """The window's language; where it follows the system, the one of the terminal."""
    from zeroclaw_desktop.config.store import ConfigStore
    from zeroclaw_desktop.foundation.paths import HomeFolderError, config_file

    try:
        chosen = ConfigStore(config_file()).get("ui.language")
    except HomeFolderError:
        chosen = "system"
    if chosen in ("en", "zh"):
        return "zh" if chosen == "zh" else "en"
    told = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return "zh" if told.lower().startswith("zh") else "en"
