#!/usr/bin/env bash
# Editors that are not on PyPI or npm: Neovim 0.10, Emacs 30 and Helix 25.01, from Debian 13's packages. Not part of CI: it needs root
# (debootstrap), tmux, 700 MB and a few minutes. usage: more.sh [PYTHON [FOLDER]]   (PYTHON has echolot-lsp[test] installed; FOLDER keeps Debian)
# Ends with the table's rows and "N passed, N failed".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$(command -v "${1:-${PYTHON:-python3}}")
server=$(dirname "$python")/echolot-lsp
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
debian=${2:-$work/debian}
for program in debootstrap tmux; do
  command -v "$program" >/dev/null || { echo "$program is needed: apt-get install debootstrap tmux"; echo "0 passed, 1 failed"; exit 1; }
done
[ -x "$debian/usr/lib/hx/hx" ] || debootstrap --variant=minbase --include=neovim,emacs-nox,hx trixie "$debian" >"$work/debootstrap.log"

# Debian's programs with Debian's libraries; what they start (the language server) runs as usual.
program() { # program NAME FILE ENVIRONMENT WORDS
  cat >"$work/$1" <<P
#!/bin/sh
$3 exec $debian/lib64/ld-linux-x86-64.so.2 --library-path $debian/usr/lib/x86_64-linux-gnu:$debian/usr/lib $debian/$2 $4 "\$@"
P
  chmod +x "$work/$1"
}
lisp=$debian/usr/share/emacs/30.1
dump=$(echo "$debian"/usr/libexec/emacs/*/x86_64-linux-gnu/*.pdmp)
program nvim usr/bin/nvim "VIMRUNTIME=$debian/usr/share/nvim/runtime" "--cmd 'set rtp+=$debian/usr/lib/x86_64-linux-gnu/nvim,$debian/usr/lib/nvim'"
program emacs usr/bin/emacs-nox "EMACSLOADPATH=$lisp/lisp EMACSDATA=$lisp/etc EMACSDOC=$lisp/etc EMACSPATH=$(dirname "$dump")" "--dump-file=$dump"
program hx usr/lib/hx/hx "" ""
"$work/nvim" --version | head -n 1; "$work/hx" --version
passed=0 failed=0
count() { if [ "$1" = ok ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi; }

echo "-- Neovim 0.10"
log=$work/nvim.log
ECHOLOT_NVIM_BINARY=$work/nvim bash "$here/nvim/run.sh" "$python" 2>&1 | tee "$log" || true
line=$(grep -E '[0-9]+ (passed|failed)' "$log" | tail -n 1)
passed=$((passed + $(sed -nE 's/.*\b([0-9]+) passed.*/\1/p' <<<" $line" | grep . || echo 0)))
failed=$((failed + $(sed -nE 's/.*\b([0-9]+) (failed|errors?).*/\1/p' <<<" $line" | grep . || echo 0)))

echo "-- Emacs 30 (eglot)"
mkdir "$work/emacs-home" "$work/emacs-shop"
while read -r word name; do echo "$word $name"; count "$word"; done < <("$python" "$here/more/emacs.py" "$work/emacs" "$server" "$work/emacs-shop")

echo "-- Helix 25.01"
mkdir "$work/helix-shop"
cp "$here/../../echolot_lsp/examples/outdoor_shop.py" "$work/helix-shop/shop.py"
while read -r word name; do echo "$word $name"; count "$word"; done < <(bash "$here/more/helix.sh" "$work/hx" "$server" "$work/helix-shop/shop.py" "$python")

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
