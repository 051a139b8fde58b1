#!/usr/bin/env bash
# Live servers: faults of every kind, and real servers under both majors of the MCP SDK.
# usage: run.sh [PYTHON]   (PYTHON has echolot-lsp[test] installed)
# Environment: ECHOLOT_LIVE, a folder for what is installed from PyPI and npm (default: a temporary one).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${1:-${PYTHON:-python3}}
live=${ECHOLOT_LIVE:-$(mktemp -d)}
[ -n "${ECHOLOT_LIVE:-}" ] || trap 'rm -rf "$live"' EXIT
export ECHOLOT_LIVE=$live
install() { # folder, requirements…
  local folder=$1; shift
  [ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
  "$folder/bin/pip" -q --disable-pip-version-check install "$@" 2> >(grep -v WARNING >&2 || true)
}
install "$live/mcp1" 'mcp==1.30.*' mcp-server-git mcp-server-fetch mcp-server-time
install "$live/mcp2" 'mcp==2.3.*'
mkdir -p "$live/npm"
(cd "$live/npm" && npm install --no-audit --no-fund --silent --prefix . @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem)
cd "$here/../.."
"$python" -m pytest -p no:cacheprovider tests/live
