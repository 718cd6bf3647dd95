"""The rules that a program can check by reading the source: each takes a path and a text, gives violations.

They work on text alone, so that the tests can plant a violation without touching the product.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

MAX_MODULE_LINES = 500
MAX_FUNCTION_LINES = 80
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "tools_common"}

#: Which part of the package may use a third party or a kind of side effect; prefixes of paths.
CONFINED_IMPORTS: dict[str, tuple[str, ...]] = {
    "serial": ("hardware/transport/",),
    "mpremote": ("hardware/peripherals/raw_repl.py",),
    "gpiod": ("hardware/peripherals/raspberry_driver.py",),
    "smbus2": ("hardware/peripherals/raspberry_driver.py",),
    "spidev": ("hardware/peripherals/raspberry_driver.py",),
    "pyudev": ("hardware/",),
    "wasmtime": ("hardware/simulator/", "sandbox/"),
    "litellm": ("providers/model_process/litellm_calls.py",),
    "httpx": ("providers/model_process/litellm_calls.py",),
    "keyring": ("vault/",),
    "sqlite3": ("store/",),
    "gmqtt": ("mqtt/broker_connection.py",),
    "redis": ("execution/shared_state/redis_link.py",),
    "esptool": (),
    "subprocess": ("sandbox/",),
    "multiprocessing": ("sandbox/",),
    "PySide6": ("gui/", "bridge/"),
    "shiboken6": ("gui/", "bridge/"),
    "qasync": ("gui/", "bridge/"),
    "pyqtgraph": ("gui/", "bridge/"),
    "qtawesome": ("gui/", "bridge/"),
}
CONFINED_CALLS = re.compile(
    r"^(os\.(system|popen|exec\w+|spawn\w+|posix_spawn\w*|fork\w*|startfile)|pty\.(spawn|fork)"
    r"|asyncio\.create_subprocess_\w+|(\w+\.)*subprocess_(exec|shell)|QProcess(\.\w+)?"
    r"|(concurrent\.futures\.)?ProcessPoolExecutor)$"
)
CALLS_ALLOWED_IN = ("sandbox/",)
#: The places that must survive whatever their callees raise; each logs what it caught.
BROAD_EXCEPT_ALLOWED = {
    "foundation/tasks.py": "the task supervisor",
    "bus/event_bus.py": "delivery on the bus",
    "execution/executor.py": "the executor",
    "execution/reporters/isolation.py": "delivery to reporters",
    "hardware/serial_worker.py": "the loop of a port's thread",
    "store/transactions.py": "the loop of the store's thread",
}
Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
COLOUR = re.compile(r"#[0-9a-fA-F]{3}(?:[0-9a-fA-F]{3}(?:[0-9a-fA-F]{2})?)?\b|rgba?\(\s*\d|QColor\(\s*\d")


def imported_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield each imported module's full name with its line, also those imported by name at run time."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module, node.lineno
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "import_module",
            "importlib.import_module",
            "__import__",
        ):
            argument = node.args[0] if node.args else None
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value, node.lineno


def confinement_violations(path: str, text: str) -> list[str]:
    """Return where ``path`` (within the package, ``/`` between parts) uses what is kept to another part."""
    tree = ast.parse(text)
    found = []
    for name, line in imported_names(tree):
        allowed = CONFINED_IMPORTS.get(name.split(".")[0])
        if allowed is not None and not path.startswith(allowed):
            found.append(f"{path}:{line}: imports {name}, which only {' and '.join(allowed)} may")
    if not path.startswith(CALLS_ALLOWED_IN):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and CONFINED_CALLS.match(ast.unparse(node.func)):
                found.append(
                    f"{path}:{node.lineno}: {ast.unparse(node.func)} starts a process; only sandbox/ may"
                )
    return found


def size_violations(path: str, text: str) -> list[str]:
    """Return which house numbers ``path`` breaks: lines of the module and of each function."""
    lines = text.count("\n") + 1
    found = [f"{path}: {lines} lines, more than {MAX_MODULE_LINES}"] if lines > MAX_MODULE_LINES else []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MAX_FUNCTION_LINES:
                found.append(
                    f"{path}:{node.lineno}: {node.name} has {length} lines, more than {MAX_FUNCTION_LINES}"
                )
    return found


def naming_violations(path: str, text: str) -> list[str]:
    """Return whether ``path`` has a name that says nothing, no docstring, or lacks the annotations import."""
    found = []
    parts = PurePosixPath(path).with_suffix("").parts
    vague = VAGUE_NAMES.intersection(parts)
    if vague:
        found.append(f"{path}: the name {', '.join(sorted(vague))} does not say what is inside")
    tree = ast.parse(text)
    if not ast.get_docstring(tree):
        found.append(f"{path}: no module docstring that says what it is for")
    has_code = any(not isinstance(node, ast.Expr) for node in tree.body)
    if has_code and ("__future__", "annotations") not in _from_imports(tree):
        found.append(f"{path}: lacks 'from __future__ import annotations'")
    return found


def docstring_violations(path: str, text: str) -> list[str]:
    """Return the public classes and functions of ``path`` without a docstring.

    Overrides of Qt (camelCase) need none, nor does a method that another class of the same module documents:
    the promise stands at the protocol or base class.
    """
    found = []
    tree = ast.parse(text)
    told = {node.name for node in ast.walk(tree) if isinstance(node, Documented) and ast.get_docstring(node)}
    owners: list[ast.Module | ast.ClassDef] = [tree]
    while owners:
        for node in owners.pop().body:
            if not isinstance(node, Documented) or node.name.startswith("_"):
                continue
            if isinstance(node, ast.ClassDef):
                owners.append(node)
            elif re.search(r"[a-z][A-Z]", node.name) or _is_stub(node):
                continue
            if node.name not in told:
                found.append(f"{path}:{node.lineno}: {node.name} has no docstring")
    return found


def broad_except_violations(path: str, text: str) -> list[str]:
    """Return where ``path`` catches everything; a handler that ends in a bare ``raise`` may."""
    if path in BROAD_EXCEPT_ALLOWED:
        return []
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ExceptHandler):
            continue
        caught = ast.unparse(node.type) if node.type else "everything"
        broad = re.search(r"\b(Exception|BaseException|everything)\b", caught) is not None
        last = node.body[-1]
        if broad and not (isinstance(last, ast.Raise) and last.exc is None):
            found.append(f"{path}:{node.lineno}: catches {caught}")
    return found


def colour_violations(path: str, text: str) -> list[str]:
    """Return string literals and calls of ``path`` that state a colour; colours stand in palette.toml."""
    found = []
    tree = ast.parse(text)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        stated = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            stated = node.value
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "QColor":
            stated = ast.unparse(node)
        match = COLOUR.search(stated)
        if match:
            found.append(f"{path}:{node.lineno}: states the colour {match.group(0)!r}")
    return found


def _from_imports(tree: ast.Module) -> set[tuple[str, str]]:
    return {
        (node.module or "", alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _is_stub(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function only repeats a signature: a protocol's method, an overload, a property's setter."""
    decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
    return any(name == "overload" or name.endswith(".setter") or name == "override" for name in decorators)
