#!/usr/bin/env bash
# Forms and requests held against the providers' own SDKs, which are installed into the environment that runs this.
set -u
cd "$(dirname "$0")/../.."
python -m pip install --quiet --disable-pip-version-check -e ".[test,sdk]" && exec python -m pytest tests/sdk
