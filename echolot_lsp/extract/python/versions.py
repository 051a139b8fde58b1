"""Names and versions of packages. Most of ``packaging`` is for files that say versions, which many folders have not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet


def bounds(text: str) -> SpecifierSet | None:
    """PEP 440 bounds; ``None`` where the text is none."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return None


def newest_fitting(known: Iterable[str], specifier: SpecifierSet) -> str | None:
    """The newest of the known versions that satisfies bounds."""
    fitting = [version for version in known if specifier.contains(version, prereleases=True)]
    return max(fitting, key=Version, default=None)


def version_of(text: str) -> Version | None:
    """A PEP 440 version; ``None`` where the text is none."""
    try:
        return Version(text)
    except InvalidVersion:
        return None


def normalised(name: str) -> str:
    """The name of a package as indexes compare it."""
    from packaging.utils import canonicalize_name

    return canonicalize_name(name)
