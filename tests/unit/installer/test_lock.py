"""The lock files: what each starts from, and that nothing but names, versions and hashes gets in."""

from __future__ import annotations

from lock import declared_locks, strip_addresses

PYPROJECT: dict[str, object] = {
    "build-system": {"requires": ["backend==1"]},
    "project": {
        "dependencies": ["core==1"],
        "optional-dependencies": {"gui": ["window==1"], "test": ["checker==1"], "models": ["model==1"]},
    },
}


def test_what_each_lock_starts_from() -> None:
    starts = {lock.name: set(lock.requirements) for lock in declared_locks(PYPROJECT)}
    assert starts["core"] == {"core==1"}
    assert starts["gui"] == {"core==1", "window==1"}
    assert starts["test"] == {"core==1", "window==1", "checker==1"}
    assert starts["models"] == {"model==1"}
    assert "backend==1" in starts["build"]


def test_the_widest_comes_first_since_the_others_follow_it() -> None:
    locks = declared_locks(PYPROJECT)
    assert locks[0].name == "test"
    assert {lock.name for lock in locks if lock.shared} == {"test", "gui", "core", "build"}


def test_addresses_and_comments_are_stripped() -> None:
    text = (
        "# made by a tool\n-i https://example.org/simple\n--index-url https://example.org/simple\n"
        "--extra-index-url https://example.org\n--find-links folder\n"
        "numpy==1 \\\n    --hash=sha256:00\n    # via something\n"
    )
    assert strip_addresses(text) == "numpy==1 \\\n    --hash=sha256:00\n"
