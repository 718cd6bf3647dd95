"""The folder of data sheets (HW-11): which board a file is about, what fits a question, what is broken."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from zeroclaw_desktop.hardware.datasheets.library import DataSheetLibrary
from zeroclaw_desktop.hardware.datasheets.pdf_pages import DataSheetError, read_pdf
from zeroclaw_desktop.hardware.datasheets.search import PassageIndex
from zeroclaw_desktop.sandbox.process import ChildProcesses

BOARDS = ("arduino-uno", "esp32")


def pdf(*pages: str) -> bytes:
    """A PDF (ISO 32000-1, 7.5) with a line of text on each page."""
    kids = " ".join(f"{4 + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for index, page in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 700 Td ({page}) Tj ET"
        objects += [
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {5 + 2 * index} 0 R"
            "/Resources<</Font<</F1 3 0 R>>>>>>",
            f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
        ]
    out, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj{body}endobj\n".encode()
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer<</Size {size}/Root 1 0 R>>\n"
    return out + tail.encode() + f"startxref\n{len(out)}\n%%EOF".encode()


def sheets(library: DataSheetLibrary) -> Path:
    assert library.folder is not None
    return library.folder


@pytest.fixture
def library(tmp_path: Path) -> DataSheetLibrary:
    folder = tmp_path / "sheets"
    (folder / "esp32").mkdir(parents=True)
    (folder / "arduino-uno.md").write_text(
        "# Uno on the window sill\n## Pins\nreading lamp: 12\nfan: 5\n"
        "## Power\nThe fan needs 12 V of its own.\n"
    )
    (folder / "esp32" / "wifi.txt").write_text("The antenna needs room. The fan of this one is on 26.")
    (folder / "parts.md").write_text(
        "# DS18B20\n温度传感器需要 4.7 kΩ 上拉电阻。\n## Pins\nlamp: 3\nfan: 9\n"
    )
    return DataSheetLibrary(folder, BOARDS, ChildProcesses())


async def test_what_fits_best_comes_first_with_its_place(library: DataSheetLibrary) -> None:
    found = await library.search("how much voltage does the fan need: 12 V of its own?", "arduino-uno")
    assert found[0].passage.heading == "Uno on the window sill > Power"
    assert found[0].passage.place == "line 6"


async def test_what_is_about_another_board_is_left_out(library: DataSheetLibrary) -> None:
    boards = {entry.sheet.board for entry in await library.search("fan", "arduino-uno", limit=9)}
    assert boards == {"arduino-uno", ""}
    assert [entry.sheet.board for entry in await library.search("antenna")] == ["esp32"]


async def test_chinese_is_found(library: DataSheetLibrary) -> None:
    found = await library.search("温度传感器的上拉电阻是多少")
    assert found[0].sheet.path.name == "parts.md"
    assert await library.search("湿度") == []


async def test_aliases_of_the_board_win_over_those_of_all(library: DataSheetLibrary) -> None:
    await library.refresh()
    assert library.aliases("arduino-uno") == {"reading lamp": "12", "fan": "5", "lamp": "3"}
    assert library.aliases("esp32") == {"lamp": "3", "fan": "9"}


async def test_changes_are_seen(library: DataSheetLibrary) -> None:
    await library.refresh()
    sheet = sheets(library) / "arduino-uno.md"
    sheet.write_text("## Pins\nheater: 7\n")
    os.utime(sheet, ns=(1, 1))
    (sheets(library) / "parts.md").unlink()
    await library.refresh()
    assert library.aliases("arduino-uno") == {"heater": "7"}


async def test_pdf_pages_are_read_and_named(library: DataSheetLibrary) -> None:
    (sheets(library) / "arduino-uno.pdf").write_bytes(
        pdf("Absolute maximum ratings: 40 mA", "Pin configuration")
    )
    found = await library.search("maximum ratings", "arduino-uno")
    assert (found[0].passage.place, found[0].passage.text) == ("page 1", "Absolute maximum ratings: 40 mA")


@pytest.mark.parametrize("content", [b"", b"%PDF-1.4\n", b"no pdf at all" * 1000, pdf("x")[:200]])
async def test_a_broken_file_is_told_and_keeps_none_of_the_others_away(
    library: DataSheetLibrary, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    broken = sheets(library) / "broken.pdf"
    broken.write_bytes(content)
    with pytest.raises(DataSheetError, match=r"broken\.pdf cannot be read"):
        await read_pdf(broken, ChildProcesses())
    assert await library.search("antenna")
    assert "broken.pdf" in caplog.text


async def test_no_folder_is_no_fault(tmp_path: Path) -> None:
    library = DataSheetLibrary(tmp_path / "none", BOARDS, ChildProcesses())
    assert await library.search("fan") == []


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    texts = [("", f"the board has pin {number}") for number in range(20)]
    scores = PassageIndex([*texts, ("", "the watchdog has teeth")]).scores("the watchdog")
    assert max(range(21), key=scores.__getitem__) == 20


async def test_what_cannot_be_read_is_kept_with_its_reason_until_it_can(library: DataSheetLibrary) -> None:
    broken = sheets(library) / "esp32" / "broken.pdf"
    broken.write_bytes(b"no pdf at all")
    await library.refresh()
    assert list(library.unreadable) == [broken]
    assert "broken.pdf cannot be read" in library.unreadable[broken].message
    assert library.board_of(broken) == "esp32"
    broken.write_bytes(pdf("Antenna gain"))
    os.utime(broken, ns=(1, 1))
    await library.refresh()
    assert library.unreadable == {}
