#!/usr/bin/env bash
# Beside the user's server: installing Echolot changes neither its mcp nor its fastmcp. Needs the package registry.
set -u
cd "$(dirname "$0")/../.."
exec python tests/resolve/resolve.py
