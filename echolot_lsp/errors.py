"""What can go wrong, drawn as a tree.

EcholotError            one plain sentence for the user; exit code 2
├── UsageError          the command line's words are off
├── SourceError         a named file cannot be read or parsed
├── ConfigError         a settings file cannot be read at all
├── LiveError           a live server cannot be started or listed
└── TrialError          a model cannot be asked, or its answer cannot be read
"""

from __future__ import annotations


class EcholotError(Exception):
    """The base of all errors that reach a user: one plain sentence, no traceback."""


class UsageError(EcholotError):
    """The command line's words are off."""


class SourceError(EcholotError):
    """A named file cannot be read or parsed."""


class ConfigError(EcholotError):
    """A settings file cannot be read at all (a single wrong key is a finding, not this)."""


class LiveError(EcholotError):
    """A live server cannot be started or listed."""


class TrialError(EcholotError):
    """A model cannot be asked, or its answer cannot be read."""
