#!/usr/bin/env bash
# Real editors. usage: [EDITORS="nvim vscode"] run.sh [PYTHON]. Ends with "N passed, N failed".
# VS Code's own run.sh runs a lost run once more with a fresh profile; both are printed, the last one counts.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0
for editor in ${EDITORS:-nvim vscode}; do
  log=$(mktemp) start=$SECONDS
  bash "$here/$editor/run.sh" "$@" 2>&1 | tee "$log"
  code=${PIPESTATUS[0]}
  line=$(grep -E '[0-9]+ (passed|failed)' "$log" | tail -n 1)
  good=$(sed -nE 's/.*\b([0-9]+) passed.*/\1/p' <<<" $line") bad=$(sed -nE 's/.*\b([0-9]+) (failed|errors?).*/\1/p' <<<" $line")
  [ "$code" -eq 0 ] || [ "${bad:-0}" -gt 0 ] || bad=1
  passed=$((passed + ${good:-0})) failed=$((failed + ${bad:-0}))
  echo "$editor, its installation included: $((SECONDS - start)) s"
  rm -f "$log"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
