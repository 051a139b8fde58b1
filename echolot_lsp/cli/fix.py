"""``check --fix``: mends what can be mended in the files; ``--diff`` prints the changes instead of making them."""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from echolot_lsp.cli.streams import complain, say
from echolot_lsp.errors import SourceError

if TYPE_CHECKING:
    from echolot_lsp.model import Finding, Report

ROUNDS = 10
"""One fix may stand in the way of another; after this many rounds nothing more is tried."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that mend."""
    parser.add_argument("--fix", action="store_true", help="mend in the files what is safe to mend")
    parser.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff: also what may change what the tool means"
    )
    parser.add_argument("--diff", action="store_true", help="print what --fix would change, and change nothing")


def run(options: argparse.Namespace) -> bool:
    """Mends, or shows how. Answers whether every source could be read."""
    from echolot_lsp.cli import sources
    from echolot_lsp.cli.reports import report_all

    unread = False

    def read(texts: Mapping[str, str]) -> Sequence[Report]:
        nonlocal unread
        # what is to be complained about was said in the first round
        with contextlib.redirect_stderr(io.StringIO()) if texts else contextlib.nullcontext():
            gathered = sources.gather(options, texts=texts)
        unread |= gathered.failed
        return report_all(gathered.servers, gathered.settings_of)

    mend(options, read)
    return not unread


def wanted(options: argparse.Namespace) -> bool:
    """Whether anything is to be mended."""
    return bool(options.fix or options.diff)


def mend(options: argparse.Namespace, read: Callable[[Mapping[str, str]], Sequence[Report]]) -> int:
    """Mends round by round until nothing changes; the number of findings that were mended.

    ``read`` makes the reports anew, with texts in place of the files' own.
    """
    before: dict[str, str] = {}
    after: dict[str, str] = {}
    reports = read(after)
    found = sum(len(_fixable(report.findings, options.unsafe_fixes)) for report in reports)
    for _ in range(ROUNDS):
        if not _round(reports, options.unsafe_fixes, before, after):
            break
        reports = read(after)
    left = sum(len(_fixable(report.findings, options.unsafe_fixes)) for report in reports)
    changed = {path: text for path, text in after.items() if text != before[path]}
    if options.diff:
        for path in sorted(changed):
            say(_diff(path, before[path], changed[path]))
    else:
        for path, text in sorted(changed.items()):
            _write(path, text)
    _tell(options, reports, found - left, len(changed))
    return found - left


def _round(reports: Iterable[Report], unsafe: bool, before: dict[str, str], after: dict[str, str]) -> bool:
    """One pass over all servers. Files that several servers share are mended for one of them a round."""
    from echolot_lsp.fixes import applied, edits

    touched: set[str] = set()
    for report in reports:
        for path, made in edits(report.server, _fixable(report.findings, unsafe)).items():
            source = report.server.sources[path]
            if path in touched or not os.path.isfile(path):
                continue
            text = applied(source.text, made)
            if text != source.text:
                before.setdefault(path, source.text)
                after[path] = text
                touched.add(path)
    return bool(touched)


def _fixable(findings: Iterable[Finding], unsafe: bool) -> list[Finding]:
    return [finding for finding in findings if finding.fix is not None and (finding.fix.safe or unsafe)]


def _write(path: str, text: str) -> None:
    """Writes a file whole or not at all; a byte order mark that was there stays."""
    with open(path, "rb") as file:
        mark = file.read(3) == b"\xef\xbb\xbf"
    fresh = f"{path}.echolot-{os.getpid()}"
    try:
        with open(fresh, "w", encoding="utf-8-sig" if mark else "utf-8", newline="", errors="surrogatepass") as file:
            file.write(text)
        os.chmod(fresh, os.stat(path).st_mode & 0o7777)
        os.replace(fresh, path)
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror}.") from None


def _diff(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), f"a/{path}", f"b/{path}", lineterm="")
    return "\n".join(lines)


def _tell(options: argparse.Namespace, reports: Sequence[Report], mended: int, files: int) -> None:
    word = "would be mended" if options.diff else "mended"
    complain(f"{mended} finding{'' if mended == 1 else 's'} {word} in {files} file{'' if files == 1 else 's'}.")
    if not options.unsafe_fixes:
        more = sum(finding.fix is not None and not finding.fix.safe for report in reports for finding in report.findings)
        if more:
            complain(f"{more} more can be mended with --unsafe-fixes; look at them with --diff first.")
