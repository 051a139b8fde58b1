"""The README's install instructions for Neovim, followed to the letter: a fresh home, the blocks as they stand there, a Neovim with its
usual configuration. The two plugin managers are played: what each promises to do with the block (install, call ``init``, then
``config``) is done here."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.editors.readme import blocks

ROOT = Path(__file__).resolve().parents[3]
LAZY = """
local spec = dofile(vim.fn.stdpath('config') .. '/lua/plugins/echolot.lua')
spec.dir = vim.fs.normalize(spec.dir)
spec.init(spec)
vim.opt.rtp:prepend(spec.dir)
spec.config(spec, {})
"""
MINI = """
package.preload['mini.deps'] = function()
  return { add = function(spec)
    spec.source = spec.source:gsub('^file://', '')
    local into = vim.fn.stdpath('data') .. '/site/pack/deps/opt/' .. vim.fs.basename(spec.source)
    local done = vim.system({ 'cp', '-r', spec.source .. '/.', into }):wait()
    assert(done.code == 0, done.stderr)
    vim.cmd.packadd(vim.fs.basename(spec.source))
  end }
end
"""
LOOK = """
local seen = { commands = vim.fn.exists(':Echolot') }
vim.cmd.edit('outdoor_shop.py')
local buffer = vim.api.nvim_get_current_buf()
seen.found = vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 50)
vim.cmd('helptags ALL')
seen.help = pcall(vim.cmd.help, 'echolot-setup') and vim.fs.basename(vim.api.nvim_buf_get_name(0))
vim.cmd('checkhealth echolot')
seen.health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')
io.stdout:write(vim.json.encode(seen) .. '\\n')
vim.cmd('qa!')
"""


def home_of_a_user(folder: Path) -> tuple[Path, dict[str, str]]:
    """A home with the repository at ``~/src/echolot-lsp`` and the language server in ``PATH``."""
    home = folder / "home"
    checkout = home / "src" / "echolot-lsp"
    (checkout / "editors").mkdir(parents=True)
    shutil.copytree(ROOT / "editors" / "neovim", checkout / "editors" / "neovim")
    shutil.copy(ROOT / "echolot_lsp" / "examples" / "outdoor_shop.py", home)
    (home / ".config" / "nvim" / "lua" / "plugins").mkdir(parents=True)
    (home / ".local" / "share" / "nvim" / "site" / "pack" / "deps" / "opt").mkdir(parents=True)
    own = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{own['PATH']}"
    return home, {**own, "HOME": str(home), "PATH": path}


def look(home: Path, environment: dict[str, str]) -> dict[str, Any]:
    """What a Neovim with this home's configuration has of Echolot."""
    script = home / "look.lua"
    script.write_text(LOOK, encoding="utf-8")
    command = [os.environ["ECHOLOT_NVIM_BINARY"], "--headless", "-n", "-i", "NONE", "-c", f"luafile {script}", "-c", "cquit 3"]
    done = subprocess.run(
        command,
        env=environment,
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        encoding="utf-8",
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert lines, done.stderr[-3000:]
    seen: dict[str, Any] = json.loads(lines[-1])
    return seen


@pytest.mark.parametrize("way", ["a plain package", "lazy.nvim", "mini.deps"])
def test_the_readmes_instructions_lead_to_a_plugin_that_runs(way: str, tmp_path: Path) -> None:
    home, environment = home_of_a_user(tmp_path)
    configuration = home / ".config" / "nvim"
    plain, lazy, mini = blocks("Neovim", "lua")
    if way == "a plain package":
        (shell,) = blocks("Neovim", "sh")
        subprocess.run(["bash", "-euc", shell], env=environment, cwd=home, check=True)
        (configuration / "init.lua").write_text(plain, encoding="utf-8")
    elif way == "lazy.nvim":
        assert lazy.startswith("-- ~/.config/nvim/lua/plugins/echolot.lua\n")
        (configuration / "lua" / "plugins" / "echolot.lua").write_text(lazy, encoding="utf-8")
        (configuration / "init.lua").write_text(LAZY, encoding="utf-8")
    else:
        (configuration / "init.lua").write_text(MINI + mini, encoding="utf-8")
    seen = look(home, environment)
    assert seen["commands"] == 2
    assert seen["found"]
    assert seen["help"] == "echolot.txt"
    assert "Running in" in seen["health"]
    assert "ERROR" not in seen["health"]
