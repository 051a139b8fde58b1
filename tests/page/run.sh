#!/usr/bin/env bash
# The card page in Debian's Chromium: every part, copy, tabs, themes, following, trying, and axe-core's judgement.
# Usage: tests/page/run.sh [FOLDER for screenshots]. PYTHON names the interpreter that has echolot_lsp installed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
if ! command -v chromium >/dev/null; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends chromium >/dev/null
fi
if ! command -v node >/dev/null; then
  apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/package.json" "$here"/*.mjs "$work"
npm install --prefix "$work" --no-audit --no-fund --loglevel=error >/dev/null
export PYTHON=${PYTHON:-python} ROOT=$root SCREENSHOTS=${1:-$work/screenshots}
mkdir -p "$SCREENSHOTS"
cd "$work"
node --test --test-concurrency=1 page.test.mjs
