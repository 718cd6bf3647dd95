"""The bus delivers in order, to everyone, on the loop's thread."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass

from zeroclaw_desktop.bus.event_bus import EventBus
from zeroclaw_desktop.foundation import log


@dataclass(frozen=True)
class Rang:
    number: int


@dataclass(frozen=True)
class LoudlyRang(Rang):
    pass


def test_receivers_hear_events_of_their_class_in_order() -> None:
    bus, heard = EventBus(), []
    bus.subscribe(Rang, lambda event: heard.append(("first", event.number)))
    bus.subscribe(Rang, lambda event: heard.append(("second", event.number)))
    bus.subscribe(LoudlyRang, lambda event: heard.append(("loud", event.number)))
    bus.publish(Rang(1))
    bus.publish(LoudlyRang(2))
    bus.publish("nobody listens")
    assert heard == [("first", 1), ("second", 1), ("loud", 2)]


def test_a_failing_receiver_is_logged_and_the_others_still_hear() -> None:
    ring, bus, heard = log.start_logging(None), EventBus(), []

    def fail(_event: Rang) -> None:
        raise RuntimeError("a widget was deleted")

    bus.subscribe(Rang, fail)
    bus.subscribe(Rang, heard.append)
    bus.publish(Rang(1))
    (record,) = ring.since(0)
    log.stop_logging()
    assert heard == [Rang(1)]
    assert bus.failures == 1
    assert "Rang" in record.message
    assert "a widget was deleted" in record.message


def test_who_has_ended_hears_nothing_more_even_in_the_same_delivery() -> None:
    bus, heard = EventBus(), []
    bus.subscribe(Rang, lambda _event: end_second())
    end_second = bus.subscribe(Rang, heard.append)
    bus.subscribe(Rang, lambda event: heard.append(("third", event)))
    bus.publish(Rang(1))
    assert heard == [("third", Rang(1))]


def test_who_subscribes_during_a_delivery_hears_the_next_event() -> None:
    bus, heard = EventBus(), []

    def join(_event: Rang) -> None:
        end_joining()
        bus.subscribe(Rang, heard.append)

    end_joining = bus.subscribe(Rang, join)
    bus.publish(Rang(1))
    assert heard == []
    bus.publish(Rang(2))
    assert heard == [Rang(2)]


def test_each_subscription_of_the_same_receiver_ends_by_itself() -> None:
    bus, heard = EventBus(), []
    first = bus.subscribe(Rang, heard.append)
    bus.subscribe(Rang, heard.append)
    first()
    first()
    bus.publish(Rang(1))
    assert heard == [Rang(1)]


def test_an_event_published_by_a_receiver_is_delivered() -> None:
    bus, heard = EventBus(), []
    bus.subscribe(Rang, lambda event: bus.publish(LoudlyRang(event.number)))
    bus.subscribe(LoudlyRang, heard.append)
    bus.publish(Rang(3))
    assert heard == [LoudlyRang(3)]


async def test_events_of_another_thread_arrive_on_the_loops_thread_in_order() -> None:
    bus, heard = EventBus(), []
    bus.bind_loop(asyncio.get_running_loop())
    done = asyncio.Event()

    def receive(event: Rang) -> None:
        heard.append((event.number, threading.get_ident()))
        if event.number == 99:
            done.set()

    bus.subscribe(Rang, receive)
    thread = threading.Thread(target=lambda: [bus.publish_threadsafe(Rang(n)) for n in range(100)])
    thread.start()
    await asyncio.wait_for(done.wait(), 10)
    thread.join()
    assert heard == [(number, threading.get_ident()) for number in range(100)]


def test_events_after_the_loop_has_closed_are_dropped() -> None:
    bus, heard = EventBus(), []
    bus.subscribe(Rang, heard.append)
    bus.publish_threadsafe(Rang(1))
    loop = asyncio.new_event_loop()
    bus.bind_loop(loop)
    loop.close()
    bus.publish_threadsafe(Rang(2))
    assert heard == []
