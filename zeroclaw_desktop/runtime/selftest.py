"""The whole main job on the simulated board, headless: connect, chat, read back, plot, flash, stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

from zeroclaw_desktop.agent.turn import TurnState
from zeroclaw_desktop.contracts.actions import ActionResult
from zeroclaw_desktop.contracts.chat import ChatMessage, ToolCall
from zeroclaw_desktop.execution.payloads import make_payload
from zeroclaw_desktop.foundation.errors import ZeroClawError
from zeroclaw_desktop.runtime.runtime import Runtime
from zeroclaw_desktop.runtime.simulators import UNO_ID

LED_PIN = 13
TELEMETRY_SECONDS = 1.0
TELEMETRY_PERIOD = 0.02
SENTENCES = (("en", "blink the led 3 times"), ("zh", "让LED闪烁3次"))


class StepFailedError(ZeroClawError):
    """A step did not give what it must."""

    default_code = "selftest"


class SilentObserver:
    """Takes part in a turn without a word."""

    def state_changed(self, turn_id: str, state: TurnState) -> None:
        """See TurnObserver."""

    def text_came(self, turn_id: str, text: str) -> None:
        """See TurnObserver."""

    def call_started(self, turn_id: str, call: ToolCall) -> None:
        """See TurnObserver."""

    def call_ended(self, turn_id: str, call: ToolCall, answer: ChatMessage) -> None:
        """See TurnObserver."""


def _require(condition: bool, message: str, **details: Any) -> None:
    if not condition:
        raise StepFailedError(message, details=details)


class SelfTest:
    """Runs the steps one after another; the first failure ends the run.

    Args:
        on_step: told of each finished step.
    """

    def __init__(self, runtime: Runtime, on_step: Callable[[dict[str, Any]], None]) -> None:
        self._runtime = runtime
        self._on_step = on_step
        self._steps: list[dict[str, Any]] = []

    async def run(self) -> dict[str, Any]:
        """Run everything; returns ``{"ok": ..., "steps": [...]}``."""
        plan: list[tuple[str, Callable[[], Awaitable[dict[str, Any]]]]] = [
            ("connect", self._connect),
            *((f"chat_{language}", self._chat(text)) for language, text in SENTENCES),
            ("read_back", self._read_back),
            ("telemetry", self._telemetry),
            ("flash_demo", lambda: self._flash("zeroclaw-demo")),
            ("demo_telemetry", self._demo_telemetry),
            ("flash_default", lambda: self._flash("zeroclaw-arduino")),
            ("emergency_stop", self._emergency_stop),
        ]
        ok = True
        for name, step in plan:
            ok = await self._run_step(name, step)
            if not ok:
                break
        return {"ok": ok, "steps": self._steps}

    async def _run_step(self, name: str, step: Callable[[], Awaitable[dict[str, Any]]]) -> bool:
        started = time.perf_counter()
        try:
            detail, ok = await step(), True
        except ZeroClawError as error:
            detail, ok = {"error": error.message, "hint": error.hint, **error.details}, False
        milliseconds = round((time.perf_counter() - started) * 1000, 1)
        row = {"name": name, "ok": ok, "ms": milliseconds, "detail": detail}
        self._steps.append(row)
        self._on_step(row)
        return ok

    # -- steps ----------------------------------------------------------------------------------------
    async def _connect(self) -> dict[str, Any]:
        await self._runtime.simulators.start()
        info = self._runtime.roster.connection(UNO_ID).info
        _require(info.state == "live" and bool(info.firmware), "The simulated board did not greet.")
        return {
            "board": info.name,
            "firmware": info.firmware,
            "simulation": self._runtime.simulators.process(UNO_ID).kind,
            "path": info.system_path,
        }

    def _chat(self, text: str) -> Callable[[], Awaitable[dict[str, Any]]]:
        async def step() -> dict[str, Any]:
            process = self._runtime.simulators.process(UNO_ID)
            await process.query()
            known = process.rising_edges(LED_PIN)
            result = await self._runtime.chat.send(text, SilentObserver())
            await process.query()
            rises = process.rising_edges(LED_PIN)[len(known) :]
            _require(len(rises) == 3, f"The LED went on {len(rises)} times instead of 3.", text=text)
            _require(bool(result.text), "The assistant said nothing.")
            return {
                "text": text,
                "answer": result.text,
                "calls": [{"name": call.name, "arguments": dict(call.arguments)} for call, _ in result.calls],
                "led_on_at_s": [round(seconds, 4) for seconds in rises],
            }

        return step

    async def _do(self, action: str, **params: Any) -> ActionResult:
        payload = make_payload(action, params, source="manual", device_id=UNO_ID)
        result = await self._runtime.executor.submit(payload)
        if not result.ok:
            raise StepFailedError(
                f"{action}: " + "; ".join(fault.message for fault in result.faults),
                details={"error_code": result.error_code},
            )
        return result

    async def _read_back(self) -> dict[str, Any]:
        process = self._runtime.simulators.process(UNO_ID)
        seen: dict[str, Any] = {}
        for state in (1, 0):
            result = await self._do("led_set", state=state)
            level = (await process.query()).levels[LED_PIN]
            observed = result.hardware_states[f"pin_{LED_PIN}"]["level"]
            _require(level == state == observed, f"Pin 13 is {level}, the board says {observed}.")
            seen["on" if state else "off"] = {
                "simulator": level,
                "board": observed,
                "ms": round(result.elapsed_ms, 2),
            }
        return seen

    async def _telemetry(self) -> dict[str, Any]:
        store = self._runtime.store
        await self._do("plot_series", signals=["a0", "a1"], period=TELEMETRY_PERIOD)
        await asyncio.sleep(TELEMETRY_SECONDS)
        await self._do("telemetry_stop")
        counts = {info.key.label: info.count for info in store.series(UNO_ID)}
        expected = TELEMETRY_SECONDS / TELEMETRY_PERIOD
        for signal in ("a0", "a1"):
            count = counts.get(signal, 0)
            _require(count >= expected * 0.8, f"{signal} gave {count} samples instead of about {expected:g}.")
        return {"samples": counts, "expected": expected}

    async def _flash(self, key: str) -> dict[str, Any]:
        result = await self._do("flash_firmware", firmware=key, save_first=False)
        firmware = str(result.value["firmware"])
        _require(firmware.startswith(key), f"After flashing {key} the board greets as '{firmware}'.")
        return dict(result.value)

    async def _demo_telemetry(self) -> dict[str, Any]:
        store = self._runtime.store
        deadline = time.monotonic() + 5.0
        labels: list[str] = []
        while time.monotonic() < deadline:
            labels = [info.key.label for info in store.series(UNO_ID)]
            if "temp" in labels and "light" in labels:
                return {"series": labels}
            await asyncio.sleep(0.1)
        raise StepFailedError(
            "The demo firmware's temp and light did not arrive.", details={"series": labels}
        )

    async def _emergency_stop(self) -> dict[str, Any]:
        await self._do("led_set", state=1)
        report = await self._runtime.stop_everything.trigger("selftest")
        level = (await self._runtime.simulators.process(UNO_ID).query()).levels[LED_PIN]
        refused = await self._runtime.executor.submit(
            make_payload("led_set", {"state": 1}, source="manual", device_id=UNO_ID)
        )
        self._runtime.stop_everything.release("selftest")
        outcome = report.outcomes[0]
        _require(outcome.confirmed and level == 0, "The board was not stopped.")
        _require(not refused.ok, "A command ran although everything was stopped.")
        return {"wire_ms": outcome.wire_ms, "led": level, "refused_with": refused.error_code}
