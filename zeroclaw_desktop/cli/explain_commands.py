"""``zeroclaw explain sentence|payload|error|toolcall`` (RT-12): why, without doing anything."""

from __future__ import annotations

import argparse
from typing import Any

from zeroclaw_desktop.cli.output import DONE, print_json, print_line
from zeroclaw_desktop.cli.standard_input import read_text


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add the ``explain`` family to the parser."""
    explain = subparsers.add_parser("explain", help="say what would happen and why, without doing it")
    verbs = explain.add_subparsers(dest="verb", required=True)
    sentence = verbs.add_parser("sentence", parents=[common], help="what the offline assistant understands")
    sentence.add_argument("text")
    sentence.set_defaults(run=explain_sentence_command)
    payload = verbs.add_parser("payload", parents=[common], help="what the execution layer would do")
    payload.add_argument("text", help="JSON, a YAML list or sentences, or - for standard input")
    payload.add_argument("--board", default="", help="kind of board (default: the simulated Arduino Uno)")
    payload.set_defaults(run=explain_payload_command)
    error = verbs.add_parser("error", parents=[common], help="what an error code means")
    error.add_argument("text", help="0x31, 49 or TIMEOUT")
    error.set_defaults(run=explain_error_command)
    toolcall = verbs.add_parser("toolcall", parents=[common], help="which tool calls are in a model's answer")
    toolcall.add_argument("text", nargs="?", default="-", help="the answer (default: standard input)")
    toolcall.add_argument("--native", action="store_true", help="the model has its own interface for tools")
    toolcall.add_argument("--cut-off", action="store_true", help="the answer ended because it was too long")
    toolcall.set_defaults(run=explain_toolcall_command)


def explain_sentence_command(options: argparse.Namespace) -> int:
    """Print what a sentence means."""
    from zeroclaw_desktop.runtime.explain import explain_sentence

    row = explain_sentence(options.text)
    if options.json:
        print_json(row)
        return DONE
    print_line(f"{row['intent']} ({row['language']})")
    for call in row["calls"]:
        print_line(f"  {call['name']} {call['arguments']}")
    print_line(row["question"] or row["say"] or "")
    return DONE


def explain_payload_command(options: argparse.Namespace) -> int:
    """Print the verdict on everything together, then what each action would do."""
    from zeroclaw_desktop.runtime.explain import explain_payload

    text = read_text() if options.text == "-" else options.text
    row = explain_payload(text, options.board)
    if options.json:
        print_json(row)
        return DONE
    print_line(f"{row['verdict']} (needs {row['permission'] or 'a known command'})")
    for action in row.get("actions", [row]):
        if "actions" in row:
            print_line(f"  {action['action']} {action['params']}")
        for error in action["errors"]:
            print_line(f"  0x{error['code']:02X} {error['symbol']}: {error['message']}")
        for pin in action["pins"]:
            print_line(f"  pin {pin['pin']}: {pin['before']} -> {pin['after']}")
    return DONE


def explain_error_command(options: argparse.Namespace) -> int:
    """Print what a code means in both languages."""
    from zeroclaw_desktop.runtime.explain import explain_code

    row = explain_code(options.text)
    if options.json:
        print_json(row)
        return DONE
    print_line(f"0x{row['code']:02X} {row['symbol']} (retry: {row['retry']})")
    print_line(f"  {row['en']} {row['next_en']}")
    print_line(f"  {row['zh']}{row['next_zh']}")
    return DONE


def explain_toolcall_command(options: argparse.Namespace) -> int:
    """Print what of a model's answer would be shown, called and refused; nothing is done."""
    from zeroclaw_desktop.runtime.explain_toolcall import explain_toolcall

    text = read_text() if options.text == "-" else options.text
    row = explain_toolcall(text, native_tools=options.native, cut_off=options.cut_off)
    if options.json:
        print_json(row)
        return DONE
    print_line(f"shown: {row['text']}" if row["text"] else "shown: nothing")
    if row["thinking"]:
        print_line(f"thinking: {row['thinking']}")
    for call in row["calls"]:
        print_line(f"call: {call['name']} {call['arguments']} ({call['dialect']})")
        for repair in call["repairs"]:
            print_line(f"  mended: {repair}")
    for fault in row["malformed"]:
        print_line(f"refused: {fault['reason']} ({fault['dialect']}, {fault['code']})")
    for ignored in row["ignored"]:
        print_line(f"no call: {ignored['reason']} ({ignored['dialect']})")
    return DONE
