"""HW-12: the sheet of sources: counters at each hop, hints, ports, UDP and MQTT, memory."""

from __future__ import annotations

import socket

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.plots.plot_world import PlotWorld
from tests.gui.ts_translator import TsTranslator
from zeroclaw_desktop.gui.plots.page import PlotsPage
from zeroclaw_desktop.gui.plots.sources.sheet import SourcesSheet
from zeroclaw_desktop.hardware.errors import PortError
from zeroclaw_desktop.runtime.plot_habits import PortWish


@pytest.fixture
def sheet(page: PlotsPage) -> SourcesSheet:
    """The sheet, opened by its button."""
    QTest.mouseClick(page.toolbar.sources_button, Qt.MouseButton.LeftButton)
    found = page.findChild(SourcesSheet)
    assert found is not None
    assert found.isVisible()
    return found


def say(world: PlotWorld, data: bytes) -> None:
    """Let the broker's topics say something."""
    world.runtime.plot_sources._message_ingest().feed(data, world.plots.own_store.started)


def test_every_hop_is_counted(sheet: SourcesSheet, world: PlotWorld) -> None:
    say(world, b"volt:3\nvolt:4\nhello\n")
    sheet.look()
    card = sheet.cards["mqtt"]
    assert card.hops.text() == "21 B  →  3 lines  →  2 samples  →  2 stored"
    assert card.rest.text() == "1 lines of text"
    assert card.hint.isHidden()
    assert card.badge.text() == "Connected"


def test_lines_without_a_value_get_a_hint_with_an_example(sheet: SourcesSheet, world: PlotWorld) -> None:
    say(world, b"hello world\n" * 6)
    sheet.look()
    assert not sheet.cards["mqtt"].hint.isHidden()
    assert "temp:23.5" in sheet.cards["mqtt"].hint.text()


def test_teleplot_lines_without_their_mark_get_a_hint(sheet: SourcesSheet, world: PlotWorld) -> None:
    """Complaint 77: the missing > is named, with a line as it should be."""
    say(world, b"temp:1627551892437:hot\n" * 6 + b"temp:1627551892437:23.5\n")
    sheet.look()
    assert ">temp:1627551892437:23.5" in sheet.cards["mqtt"].hint.text()


def test_a_slow_source_stays_connected(sheet: SourcesSheet, world: PlotWorld) -> None:
    """Complaint 79: a line in ten seconds is a connection that lasts."""
    for number in range(5):
        say(world, b"slow:%d\n" % number)
        for _ in range(4):
            world.plots.time += 2.5
            sheet.look()
            assert sheet.cards["mqtt"].badge.text() == "Connected"


def test_another_encoding_is_taken_and_remembered(sheet: SourcesSheet, world: PlotWorld) -> None:
    say(world, b"volt:3\n")
    sheet.look()
    card = sheet.cards["mqtt"]
    card.encoding.setCurrentIndex(card.encoding.findText("gbk"))
    card.encoding.activated.emit(card.encoding.currentIndex())
    card.time_base.setCurrentIndex(2)
    card.time_base.activated.emit(2)
    card.rate.setText("50")
    card.rate.editingFinished.emit()
    say(world, "温度:21\n".encode("gbk"))
    labels = [info.key.label for info in world.plots.own_store.series("mqtt")]
    assert labels == ["volt", "温度"]
    reading = world.runtime.plot_habits.reading("mqtt")
    assert (reading.encoding, reading.time_base, reading.rate) == ("gbk", "index", 50.0)


def test_a_port_that_cannot_be_opened_is_told_below_the_form(sheet: SourcesSheet, world: PlotWorld) -> None:
    sheet.add_port.port.setCurrentText("/dev/no-such-port")
    QTest.mouseClick(sheet.add_port.add_button, Qt.MouseButton.LeftButton)
    assert not sheet.add_port.error.isHidden()
    assert "/dev/no-such-port" in sheet.add_port.error.accessibleName()
    assert sheet.add_port.add_button.isEnabled()
    assert world.runtime.plot_habits.ports() == []


@pytest.mark.parametrize(
    ("port", "baud", "rate"), [("", "9600", "0"), ("COM3", "fast", "0"), ("COM3", "1", "-1")]
)
def test_fields_that_make_no_sense_are_told(sheet: SourcesSheet, port: str, baud: str, rate: str) -> None:
    sheet.add_port.port.setCurrentText(port)
    sheet.add_port.baud.setCurrentText(baud)
    sheet.add_port.rate.setText(rate)
    sheet.add_port.add()
    assert not sheet.add_port.error.isHidden()


def test_a_port_that_is_away_is_waited_for_without_alarm(sheet: SourcesSheet, world: PlotWorld) -> None:
    ports = world.runtime.plot_sources.ports
    ports._wishes["COM3"] = PortWish("COM3")
    ports.faults["COM3"] = PortError("There is no port COM3.", code="port_missing")
    sheet.look()
    card = sheet.cards["COM3"]
    assert card.badge.text() == "Waited for"
    assert card.error.isHidden()
    assert "as soon as" in card.rest.text()
    ports.faults["COM3"] = PortError("COM3 is busy.", code="port_busy")
    sheet.look()
    assert card.error.accessibleName() == "COM3 is busy."
    QTest.mouseClick(card.leave_button, Qt.MouseButton.LeftButton)
    assert "COM3" not in sheet.cards


def test_udp_is_switched_on_and_its_fault_told_in_place(sheet: SourcesSheet, world: PlotWorld) -> None:
    world.runtime.plot_sources.start()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        sheet.net.udp_port.setText(str(taken.getsockname()[1]))
        sheet.net.udp_port.editingFinished.emit()
        QTest.mouseClick(sheet.net.udp, Qt.MouseButton.LeftButton)
        sheet.look()
        assert world.settings.value("plots.udp") is True
        assert "cannot be used" in sheet.net.udp_error.accessibleName()
    sheet.net.udp_port.setText("80")
    sheet.net.udp_port.editingFinished.emit()
    assert not sheet.net.refusal.isHidden()
    QTest.mouseClick(sheet.net.udp, Qt.MouseButton.LeftButton)
    assert world.settings.value("plots.udp") is False


def test_the_memory_is_shown_set_and_told_when_full(sheet: SourcesSheet, world: PlotWorld) -> None:
    store = world.plots.own_store
    sheet.look()
    assert sheet.memory.figures.text().endswith("of 1,024 MB")
    assert sheet.memory.full.isHidden()
    store.refused_samples = 77
    sheet.look()
    assert "77 samples" in sheet.memory.full.text()
    sheet.memory.limit.setText("2048")
    sheet.memory.limit.editingFinished.emit()
    assert world.settings.value("plots.memory_mb") == 2048
    sheet.memory.limit.setText("1")
    sheet.memory.limit.editingFinished.emit()
    assert not sheet.memory.refusal.isHidden()
    assert world.settings.value("plots.memory_mb") == 2048


def test_it_speaks_chinese(sheet: SourcesSheet, world: PlotWorld, chinese: TsTranslator) -> None:
    from PySide6.QtCore import QCoreApplication

    say(world, b"volt:3\n")
    QCoreApplication.installTranslator(chinese)
    QCoreApplication.processEvents()
    sheet.look()
    assert sheet.cards["mqtt"].badge.text() == "已连接"
    assert sheet.add_port.add_button.text() == "监听此串口"
