#!/usr/bin/env bash
# The long random walk through an editor's life, each step held against a fresh reading. STEPS and SEED may be set.
set -u -o pipefail
cd "$(dirname "$0")/../.."
exec "${PYTHON:-python}" -m tests.model "${STEPS:-10000}" "${SEED:-1}"
