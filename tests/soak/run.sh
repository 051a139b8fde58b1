#!/usr/bin/env bash
# An hour's edits at full speed, in less than a minute: the server's memory, threads, handles and children stay what they were.
set -u -o pipefail
cd "$(dirname "$0")/../.."
exec "${PYTHON:-python}" -m tests.soak "${SEED:-1}"
