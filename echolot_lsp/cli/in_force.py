"""The settings that are in force for a file: the settings file's, with the command line's options over them."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace

from echolot_lsp.cli.streams import complain
from echolot_lsp.cli.told import told
from echolot_lsp.config.find import EMPTY, find, read_file
from echolot_lsp.config.layers import Layer, merge
from echolot_lsp.config.settings import Settings
from echolot_lsp.errors import UsageError
from echolot_lsp.files import Files

OPTIONS = ("environment", "framework", "python")
"""Options that are settings too."""


class InForce:
    """Settings by place; each settings file is read, and complained about, once. ``failed``: one of them is not right."""

    def __init__(self, options: argparse.Namespace, files: Files) -> None:
        self.failed = False
        self._files = files
        self._by_folder: dict[str, str | None] = {}
        self._by_file: dict[str | None, Settings] = {}
        said = {name: value for name in OPTIONS if (value := getattr(options, name, None)) is not None}
        if "environment" in said:
            if not os.path.isdir(said["environment"]):
                raise UsageError(f"There is no folder {said['environment']} (--environment).")
            said["environment"] = os.path.abspath(said["environment"])
        self._options = Layer(said, {name: f"--{name}" for name in said})

    def at(self, path: str) -> Settings:
        """The settings for a file or folder. ``environment`` is absolute, or relative to the working folder."""
        folder = path if os.path.isdir(path) else os.path.dirname(path) or "."
        if folder not in self._by_folder:
            self._by_folder[folder] = find(folder, self._files)
        file = self._by_folder[folder]
        if file not in self._by_file:
            settings = merge(self._layer(file), self._options)
            if settings.environment is not None:
                settings = replace(settings, environment=os.path.join(settings.folder, settings.environment))
            self._by_file[file] = settings
        return self._by_file[file]

    def _layer(self, file: str | None) -> Layer:
        if file is None:
            return EMPTY
        loaded = read_file(file, self._files)
        for trouble in loaded.troubles:
            self.failed = True
            complain(told(trouble, self._files))
        return loaded.layer
