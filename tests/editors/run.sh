#!/usr/bin/env bash
# Every editor that has a folder here with a run.sh. Ends with `N passed, N failed`.
set -u -o pipefail
cd "$(dirname "$0")"
passed=0
failed=0
for script in */run.sh; do
    echo "-- ${script%/run.sh}"
    log=$(mktemp)
    bash "$script" 2>&1 | tee "$log"
    line=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1)
    rm -f "$log"
    if [[ $line =~ ([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    else
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
