"""The last words of pip, uv and venv become an error that says what to do, with an exit code of its own."""

from __future__ import annotations

import pytest
from bootstrap_steps.errors import (
    BootstrapError,
    DiskFullError,
    NetworkError,
    SystemLibraryError,
    WrongHashError,
)
from bootstrap_steps.failure_reading import error_from_output


@pytest.mark.parametrize(
    ("output", "kind", "word"),
    [
        (
            "Failed to establish a new connection: [Errno -3] Temporary failure in name resolution",
            NetworkError,
            "reached",
        ),
        (
            "error: Failed to fetch: `https://host/simple/uv/`\n  Caused by: dns error",
            NetworkError,
            "reached",
        ),
        ("[Errno 101] Network is unreachable", NetworkError, "reached"),
        (
            "ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 407'))",
            NetworkError,
            "proxy",
        ),
        (
            "SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]'))",
            NetworkError,
            "certificate",
        ),
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            DiskFullError,
            "room",
        ),
        ("There is not enough space on the disk. (os error 112)", DiskFullError, "room"),
        (
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."
            + "\n  Expected x" * 99,
            WrongHashError,
            "hash",
        ),
        (
            "ERROR: No matching distribution found for PySide6-Essentials==6.11.3",
            BootstrapError,
            "this machine",
        ),
        (
            "ImportError: libEGL.so.1: cannot open shared object file: No such file or directory",
            SystemLibraryError,
            "libEGL.so.1",
        ),
        ("Segmentation fault", BootstrapError, "could not be done"),
    ],
)
def test_the_cause_is_named(output: str, kind: type[BootstrapError], word: str) -> None:
    error = error_from_output("It could not be done.", output)
    assert type(error) is kind
    assert word in error.message
    assert error.hint
    assert output.endswith(error.log_tail)
    assert 0 < len(error.log_tail.splitlines()) <= 12


def test_no_network_is_told_although_pip_ends_with_no_matching_distribution() -> None:
    output = (
        "Retrying after connection broken by NewConnectionError\nERROR: No matching distribution found for uv"
    )
    assert type(error_from_output("x", output)) is NetworkError


def test_each_kind_has_an_exit_code_of_its_own() -> None:
    codes = [
        kind.exit_code
        for kind in (BootstrapError, NetworkError, DiskFullError, SystemLibraryError, WrongHashError)
    ]
    assert len(set(codes)) == len(codes)
    assert 0 not in codes
