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
log=$work/log
code=0
node --test --test-concurrency=1 --test-reporter=spec page.test.mjs 2>&1 | tee "$log" || code=$?
passed=$(sed -nE 's/^ℹ pass ([0-9]+)$/\1/p' "$log")
failed=$(sed -nE 's/^ℹ (fail|cancelled) ([0-9]+)$/\2/p' "$log" | awk '{ all += $1 } END { print all }')
echo "${passed:-0} passed, ${failed:-1} failed"
exit "$code"
