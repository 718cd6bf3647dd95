"""``zeroclaw models``: list, test, key, install (AG-8)."""

from __future__ import annotations

import argparse
import contextlib
import getpass
import sys
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from zeroclaw_desktop.cli.output import DONE, print_json, print_line, print_note
from zeroclaw_desktop.cli.session import run
from zeroclaw_desktop.foundation.log import start_logging, stop_logging
from zeroclaw_desktop.foundation.paths import config_file, log_folder

if TYPE_CHECKING:
    from zeroclaw_desktop.providers.model_entry import ModelEntry
    from zeroclaw_desktop.runtime.model_service import ModelService


def add_commands(subparsers: Any, common: argparse.ArgumentParser) -> None:
    """Add ``models`` and its verbs to the parser."""
    models = subparsers.add_parser("models", help="language models: list, test, keys, installation")
    verbs = models.add_subparsers(dest="verb", required=True)
    listing = verbs.add_parser(
        "list", parents=[common], help="list the models of the settings and local ones"
    )
    listing.add_argument(
        "--catalogue", default="", metavar="PROVIDER", help="known models and prices instead"
    )
    listing.set_defaults(run=list_models)
    testing = verbs.add_parser("test", parents=[common], help="ask a model, and find out what it can do")
    testing.add_argument("alias", help="its alias, or PROVIDER/MODEL of a local server")
    testing.set_defaults(run=test_model)
    key = verbs.add_parser("key", parents=[common], help="keep a key in the system's keyring")
    key.add_argument("name", help="its name; settings refer to it as secret:NAME")
    key.add_argument("--forget", action="store_true", help="remove it instead")
    key.set_defaults(run=keep_key)
    installing = verbs.add_parser("install", parents=[common], help="install the model library")
    installing.set_defaults(run=install)


@contextlib.asynccontextmanager
async def _service(options: argparse.Namespace) -> AsyncIterator[ModelService]:
    """The models without the rest of the runtime; ended with the command."""
    from zeroclaw_desktop.config.store import ConfigStore
    from zeroclaw_desktop.runtime.model_service import models_alone

    start_logging(log_folder(), verbose=options.verbose)
    config = ConfigStore(config_file())
    for problem in config.problems:
        if problem.path.startswith("models"):
            print_note(f"zeroclaw: {problem}")
    service = models_alone(config)
    try:
        yield service
    finally:
        await service.stop()
        stop_logging()


def list_models(options: argparse.Namespace) -> int:
    """Print the models of the settings and those of servers on this computer, or a provider's catalogue."""
    return run(lambda: _list(options))


async def _list(options: argparse.Namespace) -> int:
    from zeroclaw_desktop.providers.local_servers import find_local_servers

    async with _service(options) as service:
        if options.catalogue:
            _print_catalogue(await service.catalogue(options.catalogue), as_json=options.json)
            return DONE
        for alias, provider in service.unknown_providers().items():
            print_note(f"zeroclaw: the model '{alias}' has an unknown provider '{provider}'")
        rows = [_row(entry, "settings") for entry in service.entries().values()]
        for server in await find_local_servers():
            rows += [_row(entry, "found here") for entry in server.entries()]
    if options.json:
        print_json({"models": rows})
        return DONE
    for row in rows:
        print_line(
            f"{row['alias']:<20} {row['provider']:<12} {row['model']}  ({row['address']}, {row['from']})"
        )
    if not rows:
        print_line("No model is set up and no local server was found; the offline assistant answers.")
    return DONE


def _row(entry: ModelEntry, origin: str) -> dict[str, Any]:
    return {
        "alias": entry.alias,
        "provider": entry.provider,
        "model": entry.model,
        "address": entry.address,
        "key": bool(entry.key),
        "fallback": list(entry.fallback),
        "from": origin,
    }


def _print_catalogue(rows: list[Mapping[str, Any]], *, as_json: bool) -> None:
    if as_json:
        print_json({"models": rows})
        return
    print_line(f"{'model':<44} {'context':>9} {'USD/1M in':>10} {'out':>8}  tools vision")
    for row in rows:
        prices = row["prices"] or {}
        paid = [f"{prices[name] * 1e6:.2f}" if name in prices else "?" for name in ("input", "output")]
        flags = ["yes" if row[name] else "no" for name in ("native_tools", "vision")]
        size = row["context"] or "?"
        print_line(f"{row['model']:<44} {size:>9} {paid[0]:>10} {paid[1]:>8}  {flags[0]:<5} {flags[1]}")


def test_model(options: argparse.Namespace) -> int:
    """Ask a model for a sentence and for a tool call; print times, tokens, cost and abilities."""
    return run(lambda: _test(options))


async def _test(options: argparse.Namespace) -> int:
    async with _service(options) as service:
        check = await service.check(_wanted(service, options.alias))
    usage = check.usage
    row = {
        "alias": check.alias,
        "answer": check.text,
        "first_ms": round(check.first_ms),
        "whole_ms": round(check.whole_ms),
        "native_tools": check.native_tools,
        "input_tokens": usage.input_tokens if usage else None,
        "output_tokens": usage.output_tokens if usage else None,
        "cost_usd": usage.cost if usage else None,
    }
    if options.json:
        print_json(row)
        return DONE
    print_line(f"{check.alias}: {check.text.strip()}")
    print_line(f"  first piece after {row['first_ms']} ms, whole answer after {row['whole_ms']} ms")
    if usage is not None:
        cost = "price unknown" if usage.cost is None else f"{usage.cost:.6f} USD"
        print_line(f"  {usage.input_tokens} tokens in, {usage.output_tokens} out, {cost}")
    print_line("  calls tools by itself" if check.native_tools else "  does not call tools by itself")
    return DONE


def _wanted(service: ModelService, alias: str) -> ModelEntry:
    """A model of the settings, or one of a local server by provider and name."""
    from zeroclaw_desktop.providers.model_entry import ModelEntry, presets

    provider, _, model = alias.partition("/")
    if alias not in service.entries() and model and provider in presets() and presets()[provider].local:
        return ModelEntry(alias, provider, model)
    return service.entry(alias)


def keep_key(options: argparse.Namespace) -> int:
    """Ask for a key and keep it in the keyring, or remove it."""

    async def main() -> int:
        from zeroclaw_desktop.vault.model_keys import ModelKeys
        from zeroclaw_desktop.vault.system_keyring import SystemKeyring

        keys = ModelKeys(SystemKeyring())
        if options.forget:
            await keys.forget(options.name)
        else:
            await keys.keep(options.name, _key_from_person())
        if options.json:
            print_json({"name": options.name, "kept": not options.forget})
        else:
            verb = "removed" if options.forget else "kept"
            print_line(f"The key '{options.name}' is {verb}. Settings refer to it as secret:{options.name}.")
        return DONE

    return run(main)


def _key_from_person() -> str:
    """From the terminal without showing it, or the first line of a pipe."""
    if sys.stdin.isatty():
        return getpass.getpass("Key: ").strip()
    return sys.stdin.readline().strip()


def install(options: argparse.Namespace) -> int:
    """Install the model library into an environment of its own."""

    async def main() -> int:
        from zeroclaw_desktop.runtime.model_install import install_models

        say = print_note if options.json else print_line
        folder = await install_models(say)
        if options.json:
            print_json({"folder": str(folder)})
        return DONE

    return run(main)
