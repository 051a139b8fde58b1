#!/usr/bin/env bash
# The conformance suite of the Python reader under every other Python from 3.11 on that is found here: the answers do not depend on
# the Python that runs us. Ends with "N passed, N failed"; finding no other Python is said, and is one test that passed.
set -uo pipefail
cd "$(dirname "$0")/../.."
own=$("${PYTHON:-python3}" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
passed=0 failed=0
find_python() { # VERSION: one that runs, on the path or beside it
  for candidate in "python$1" "$HOME"/.pyenv/versions/"$1".*/bin/python "$(getent passwd "$(id -u)" | cut -d: -f6)"/.pyenv/versions/"$1".*/bin/python; do
    "$candidate" -c "import sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null && echo "$candidate" && return
  done
  return 1
}
for version in 3.11 3.12 3.13; do
  [ "$version" != "$own" ] || continue
  python=$(find_python "$version") || { echo "Python $version: none found"; continue; }
  "$python" -m venv "$work/$version" && "$work/$version/bin/python" -m pip install --quiet --disable-pip-version-check -e ".[test]" || { failed=$((failed + 1)); continue; }
  line=$("$work/$version/bin/python" -m pytest -p no:cacheprovider tests/extract/python/test_forms.py 2>&1 | tee /dev/stderr | grep -E '[0-9]+ (passed|failed|error)' | tail -n 1)
  good=$(sed -nE 's/.*[^0-9]([0-9]+) passed.*/\1/p' <<<" $line") bad=$(sed -nE 's/.*[^0-9]([0-9]+) (failed|errors?).*/\1/p' <<<" $line")
  [ -n "$good" ] || bad=${bad:-1}
  echo "Python $version: ${good:-0} passed, ${bad:-0} failed"
  passed=$((passed + ${good:-0})) failed=$((failed + ${bad:-0}))
done
[ $((passed + failed)) -gt 0 ] || passed=1
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
