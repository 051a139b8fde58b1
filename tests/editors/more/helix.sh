#!/usr/bin/env bash
# Helix as a person uses it: driven in tmux, read from the screen. usage: helix.sh HX SERVER FILE PYTHON; prints one line a step: `ok NAME` or `failed NAME`.
set -uo pipefail
hx=$1 server=$2 file=$3 python=$4
home=$(mktemp -d) socket=helix$$
keys() { tmux -L "$socket" send-keys "$@"; }
screen() { tmux -L "$socket" capture-pane -p; }
trap 'tmux -L "$socket" kill-server 2>/dev/null; rm -rf "$home"' EXIT
mkdir -p "$home/helix"
cat >"$home/helix/config.toml" <<C
[editor]
end-of-line-diagnostics = "hint"
[editor.lsp]
display-inlay-hints = true
C
"$python" "$(dirname "$0")/../readme.py" Helix toml >"$home/helix/languages.toml"
sees() { # sees TEXT: waits until the screen shows it
  local i
  for i in $(seq 150); do screen | grep -qF -- "$1" && return 0; sleep 0.2; done
  return 1
}
step() { # step NAME TEXT: the screen shows the text
  if sees "$2"; then echo "ok $1"; else echo "failed $1"; screen | sed 's/^/    /' >&2; fi
}
line() { grep -nF -- "$1" "$file" | head -n 1 | cut -d: -f1; }
tmux -L "$socket" new-session -d -x 180 -y 40 "env LANG=C.UTF-8 PATH=$(dirname "$server"):$PATH HOME=$home XDG_CONFIG_HOME=$home XDG_CACHE_HOME=$home TERM=xterm-256color $hx $file:$(line 'def cancel_reservation'):6"
step findings 'has no description'
for _ in $(seq 40); do keys l; sleep 0.3; keys h; sleep 0.3; screen | grep -q '≈' && break; done # hints are asked for only after an event
step hints '≈'
keys Space k
step hover '| Anthropic'
keys Escape; sleep 0.3
keys Space a
step 'actions are offered' 'Ignore no-description on this line'
choose() { # chooses an action from the menu, in which the first line is marked
  local steps
  steps=$(screen | "$python" -c '
import sys
lines, title = sys.stdin.read().split("\n"), sys.argv[1]
number = next(at for at, line in enumerate(lines) if title in line)
column = lines[number].index(title)
steps = 1
while lines[number - steps][column : column + 1].isupper() and lines[number - steps][column - 1] == " ":
    steps += 1
print(steps - 1)' "$1")
  for _ in $(seq "$steps"); do keys Down; sleep 0.1; done
  keys Enter
}
command() { keys Escape; sleep 0.5; keys ":$1" Enter; sleep 0.5; }
choose 'Ignore no-description on this line'
step ignore '# echolot: ignore[no-description]'
command "$(line 'trail.weather')"
keys f w; sleep 0.3
keys Space a
sees 'Name the tool "trail_weather"' && choose 'Name the tool "trail_weather"'
step 'quick fix' '"trail_weather")'
command 'q!'
