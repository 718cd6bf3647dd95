"""The documents keep up with the program: links and commands are there, both languages say the same."""

from __future__ import annotations

import argparse
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from zeroclaw_desktop.cli.main import make_parser
from zeroclaw_desktop.config.schema import SETTINGS
from zeroclaw_desktop.runtime.explain import explain_payload, explain_sentence

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "user-guide"
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "firmware").glob("*.md")],
    key=lambda path: path.as_posix(),
)
ENGLISH = sorted((GUIDE / "en").glob("*.md"))
PAIRS = [
    (ROOT / "README.md", ROOT / "README.zh-CN.md"),
    *((page, GUIDE / "zh-CN" / page.name) for page in ENGLISH),
]
PICTURE_BYTES = 150_000
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)


def name_of(path: Path) -> str:
    """Return a path as the report shows it."""
    return path.relative_to(ROOT).as_posix()


def without_fences(text: str) -> str:
    """Return a document without its blocks of code."""
    return _FENCE.sub("", text)


def anchors(text: str) -> set[str]:
    """Return the anchors of a document's headings, made as GitHub makes them."""
    found = set()
    for _, title in _HEADING.findall(without_fences(text)):
        plain = re.sub(r"[^\w\- ]", "", title.strip().lower())
        found.add(plain.replace(" ", "-"))
    return found


def broken_links(path: Path, text: str) -> list[str]:
    """Return the relative links of a document that lead nowhere."""
    broken = []
    for target in _LINK.findall(_INLINE.sub("", without_fences(text))):
        if re.match(r"[a-z]+://|mailto:", target):
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        if not found.exists() or (
            anchor and found.suffix == ".md" and anchor not in anchors(found.read_text(encoding="utf-8"))
        ):
            broken.append(target)
    return broken


def commands_in(text: str) -> Iterator[str]:
    """Yield what a document gives to be typed after ``zeroclaw``."""
    pieces = [line for block in _FENCE.findall(text) for line in block.splitlines()]
    pieces += _INLINE.findall(without_fences(text))
    for piece in pieces:
        found = re.match(r"(?:\.venv/bin/)?zeroclaw (\S.*)", piece.strip())
        if found:
            yield re.sub(r"\s+# .*", "", found.group(1))


def parse(command: str) -> argparse.Namespace:
    """Parse a command as the program does; raises SystemExit when it is none."""
    return make_parser().parse_args(shlex.split(command))


def leaf_commands(parser: argparse.ArgumentParser, prefix: str = "") -> Iterator[str]:
    """Yield every command that a parser knows: ``chat``, ``device list``, ..."""
    choices = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not choices:
        yield prefix.strip()
    for group in choices:
        for word, below in group.items():
            yield from leaf_commands(below, f"{prefix} {word}")


def outline(text: str) -> list[tuple[str, int]]:
    """Return a document's shape: heading levels; under each the number of rows, items, blocks, pictures."""
    shape: list[tuple[str, int]] = []
    bare = re.sub(r"^```.*?^```$", "<block>", text, flags=re.MULTILINE | re.DOTALL)
    for part in re.split(r"^(?=#+ )", bare, flags=re.MULTILINE):
        level = part[: len(part) - len(part.lstrip("#"))]
        shape += [
            (f"{level} heading", 1),
            ("rows", len(re.findall(r"^\|", part, re.MULTILINE))),
            ("items", len(re.findall(r"^(?:-|\d+\.) ", part, re.MULTILINE))),
            ("blocks", part.count("<block>")),
            ("pictures", part.count("![")),
        ]
    return shape


def sentences_of(page: Path) -> list[str]:
    """Return the sentences that the chat page offers: the marked texts of its first table."""
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    return [sentence for line in rows for sentence in _INLINE.findall(line)]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(path: Path) -> None:
    assert broken_links(path, path.read_text(encoding="utf-8")) == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Two words\n", encoding="utf-8")
    text = "[a](page.md#two-words) [b](page.md#three) ![c](none.png) `[d](code.md)` [e](https://example.org)"
    assert broken_links(page, text) == ["page.md#three", "none.png"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_commands_exist(path: Path) -> None:
    wrong = []
    for command in commands_in(path.read_text(encoding="utf-8")):
        try:
            parse(command.replace("…", "text"))
        except SystemExit:
            # 'zeroclaw device' alone would be no command; 'zeroclaw chat' names one without its words.
            if command not in set(leaf_commands(make_parser())):
                wrong.append(command)
    assert wrong == []


def test_a_command_that_does_not_exist_is_found() -> None:
    assert list(commands_in("Type `zeroclaw dance --now`.")) == ["dance --now"]
    with pytest.raises(SystemExit):
        parse("dance --now")


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_command_is_in_the_guide(language: str) -> None:
    text = (GUIDE / language / "command-line.md").read_text(encoding="utf-8")
    missing = [command for command in leaf_commands(make_parser()) if f"`zeroclaw {command}" not in text]
    assert missing == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)
def test_payloads_in_the_documents_are_accepted(path: Path) -> None:
    refused = []
    for command in commands_in(path.read_text(encoding="utf-8")):
        found = re.search(r"'(\{.*\})'", command)
        if found and explain_payload(found.group(1))["verdict"] == "refuse":
            refused.append(command)
    assert refused == []


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_assistant_understands_what_the_guide_offers(language: str) -> None:
    sentences = sentences_of(GUIDE / language / "chat.md")
    assert len(sentences) > 15
    strange = [text for text in sentences if explain_sentence(text)["intent"] == "unsupported"]
    assert strange == []
    assert explain_sentence("make me a coffee")["intent"] == "unsupported"


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_settings_table_is_complete(language: str) -> None:
    text = (GUIDE / language / "settings.md").read_text(encoding="utf-8")
    told = {
        key: tomllib.loads(f"value = {default}")["value"]
        for key, default in re.findall(r"^\|.*\| `(\w+\.\w+)` \| `([^`]+)` \|$", text, re.MULTILINE)
    }
    assert told == {setting.key: setting.default for setting in SETTINGS}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: name_of(pair[0]))
def test_both_languages_have_the_same_sections(pair: tuple[Path, Path]) -> None:
    english, chinese = (path.read_text(encoding="utf-8") for path in pair)
    assert outline(chinese) == outline(english)


def test_no_chinese_page_stands_alone() -> None:
    assert [page.name for page in ENGLISH] == sorted(page.name for page in (GUIDE / "zh-CN").glob("*.md"))


def test_records_are_listed_and_complete() -> None:
    folder = ROOT / "docs" / "adr"
    index = (folder / "README.md").read_text(encoding="utf-8")
    for record in sorted(folder.glob("0*.md")):
        assert f"({record.name})" in index
        titles = [title for level, title in _HEADING.findall(record.read_text(encoding="utf-8"))]
        assert titles[1:] == ["Status", "Context", "Decision", "Consequences"], record.name


def test_pictures_are_small_and_used() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    for picture in sorted((ROOT / "docs" / "images").iterdir()):
        assert picture.stat().st_size < PICTURE_BYTES, picture.name
        assert picture.name in texts, f"{picture.name} is shown nowhere"
