"""Turns the last words of pip, uv and venv into an error that says what to do."""

from __future__ import annotations

import re

from bootstrap_steps.errors import (
    BootstrapError,
    DiskFullError,
    NetworkError,
    SystemLibraryError,
    WrongHashError,
)

DISK_FULL = r"No space left on device|Errno 28|not enough space on the disk|Disk quota exceeded|WinError 112"
NETWORK = (
    r"name resolution|Name or service not known|getaddrinfo|dns error|Failed to establish a new connection"
    r"|NewConnectionError|ConnectTimeout|Connection refused|Network is unreachable|Connection reset"
    r"|connection broken|Read timed out|error sending request|Could not connect|client error \(Connect\)"
    r"|nodename nor servname|Failed to fetch|Could not resolve|Temporary failure"
)
PROXY = r"ProxyError|Proxy Authentication|407|Cannot connect to proxy|tunnel connection failed"
CERTIFICATE = r"CERTIFICATE_VERIFY_FAILED|SSLError|invalid peer certificate|certificate verify failed"
HASH = r"DO NOT MATCH THE HASHES|Hash mismatch"
NO_WHEEL = r"No matching distribution|no wheels? with a matching|not a supported wheel|doesn't have a.* wheel"
MISSING_LIBRARY = r"(lib[\w.+-]+\.so[.\d]*): cannot open shared object file"
TAIL_LINES = 12
AGAIN = "then start the same command again; what is downloaded already is kept."


def error_from_output(message: str, output: str) -> BootstrapError:
    """Return the error that fits ``output``, the last lines of the tool that failed.

    Args:
        message: what could not be done, one sentence; used where the output is not understood.
        output: what the tool wrote last; the error carries its last lines.
    """
    tail = "\n".join(output.splitlines()[-TAIL_LINES:])

    def found(pattern: str) -> bool:
        return re.search(pattern, output, re.IGNORECASE) is not None

    if found(DISK_FULL):
        hint = f"Make room (a complete environment needs about 1.5 GB), {AGAIN}"
        return DiskFullError("There is no room left on the disk.", hint=hint, log_tail=tail)
    if found(HASH):
        hint = "Do not go on: what was downloaded is not what the lock file names. Check your package mirror."
        return WrongHashError("A downloaded package has the wrong hash.", hint=hint, log_tail=tail)
    if found(CERTIFICATE):
        hint = f"Behind a company proxy, set PIP_CERT and SSL_CERT_FILE to its certificate file, {AGAIN}"
        return NetworkError("The package server's certificate was not accepted.", hint=hint, log_tail=tail)
    if found(PROXY):
        hint = f"Check HTTPS_PROXY (http://user:password@host:port), {AGAIN}"
        return NetworkError("The proxy did not let the download through.", hint=hint, log_tail=tail)
    if found(NETWORK):
        hint = f"Connect to the internet (behind a proxy: set HTTPS_PROXY), {AGAIN}"
        return NetworkError("The package server cannot be reached.", hint=hint, log_tail=tail)
    if found(NO_WHEEL):
        hint = "Use a 64-bit Python 3.11 to 3.14 on Linux (glibc), macOS or Windows."
        return BootstrapError("A package is not made for this machine.", hint=hint, log_tail=tail)
    library = re.search(MISSING_LIBRARY, output)
    if library:
        hint = "On Debian/Ubuntu, start without --no-system so that the missing packages are installed."
        text = f"The system library {library.group(1)} is missing; the window cannot start without it."
        return SystemLibraryError(text, hint=hint, log_tail=tail)
    return BootstrapError(message, hint="The last lines may tell; the whole log is kept.", log_tail=tail)
