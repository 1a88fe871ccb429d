"""Prova from Python: checks of C programs with typed results.

Nothing is decided here. ``check`` runs the command ``prova check --format json`` and makes objects of its
answer. The answer as it was printed is ``Result.raw``.
"""

from __future__ import annotations

import enum
import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

__all__ = ["check", "Result", "Verdict", "Place", "Input", "Invariant", "ProvaError"]

File = Union[str, "os.PathLike[str]"]


class ProvaError(Exception):
    """The command could not be run, or what it was given cannot be used."""


class Verdict(enum.Enum):
    """What was found."""

    PROVED = "proved"
    VIOLATED = "violated"
    BOUNDED = "bounded"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Place:
    """A position in a source file."""

    file: Optional[str]
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Input:
    """A value that a failing run was given."""

    name: str
    value: str
    at: Optional[Place]


@dataclass(frozen=True)
class Invariant:
    """What holds at a place: one of the cases, each with all of its facts."""

    at: Optional[Place]
    cases: Tuple[Tuple[str, ...], ...]


@dataclass(frozen=True)
class Result:
    """A verdict with its evidence."""

    verdict: Verdict
    property: str
    entry: Optional[str]
    engine: str
    message: Optional[str]
    reason: Optional[str]
    at: Optional[Place]
    inputs: Tuple[Input, ...]
    invariants: Tuple[Invariant, ...]
    certified: bool
    seconds: float
    iterations: int
    raw: Mapping[str, Any] = field(repr=False)

    def __bool__(self) -> bool:
        """Whether it is proved."""
        return self.verdict is Verdict.PROVED


def _place(value: Any) -> Optional[Place]:
    if not isinstance(value, dict):
        return None
    return Place(value.get("file"), int(value.get("line") or 0), int(value.get("column") or 0))


def _result(raw: Mapping[str, Any]) -> Result:
    evidence = raw.get("evidence") or {}
    statistics = raw.get("statistics") or {}
    return Result(
        verdict=Verdict(raw["verdict"]),
        property=raw.get("property") or "",
        entry=raw.get("entry"),
        engine=raw.get("engine") or "",
        message=evidence.get("message"),
        reason=evidence.get("reason"),
        at=_place(evidence.get("at")),
        inputs=tuple(
            Input(i["name"], i["value"], _place(i.get("at"))) for i in evidence.get("inputs") or ()
        ),
        invariants=tuple(
            Invariant(_place(i.get("at")), tuple(tuple(case) for case in i["cases"]))
            for i in evidence.get("invariants") or ()
        ),
        certified=raw.get("certified") is not None,
        seconds=float(statistics.get("seconds") or 0.0),
        iterations=int(statistics.get("iterations") or 0),
        raw=raw,
    )


def check(
    files: Union[File, Sequence[File]],
    *,
    property: str = "unreach-call",
    rule: Optional[File] = None,
    entry: Optional[str] = None,
    timeout: int = 60,
    memory: Optional[int] = None,
    bits: Optional[int] = None,
    include: Sequence[File] = (),
    defines: Sequence[str] = (),
    options: Sequence[str] = (),
    command: Optional[str] = None,
) -> Result:
    """Checks one property, or one rule, of a C program.

    ``memory`` is in megabytes, ``timeout`` in seconds. ``options`` are further words of ``prova check``.
    Raises ``ProvaError`` where the program or an argument cannot be used.
    """
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    words = [command or os.environ.get("PROVA") or "prova", "check", "--no-config", "--format", "json"]
    words += ["--timeout", str(timeout)]
    if memory is not None:
        words += ["--memory", str(memory)]
    if bits is not None:
        words += ["--bits", str(bits)]
    if entry is not None:
        words += ["--entry", entry]
    words += ["--slic", os.fspath(rule)] if rule is not None else ["--property", property]
    for folder in include:
        words += ["-I", os.fspath(folder)]
    for define in defines:
        words += ["-D", define]
    words += list(options) + [os.fspath(Path(f)) for f in files]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ProvaError(f"cannot run {words[0]}: {error}") from error
    # An answer counts only with the exit status that belongs to it.
    wanted = {"proved": 0, "violated": 1, "unknown": 3, "bounded": 4}
    try:
        raw = json.loads(done.stdout)
        answered = wanted.get(raw.get("verdict")) == done.returncode
    except (ValueError, AttributeError):
        answered = False
    if not answered:
        said = done.stderr.strip() or f"exit status {done.returncode}, and nothing was said"
        raise ProvaError(said)
    return _result(raw)
