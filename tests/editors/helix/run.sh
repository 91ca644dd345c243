#!/usr/bin/env bash
# Helix against the real server. HX: its command; PYTHON: a Python with pyte.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../workspace.sh"
export DETOUR=${DETOUR:?the command of the server} HX=${HX:?the command of Helix}
make_workspace
trap 'rm -rf "$tmp"' EXIT
timeout 600 "${PYTHON:-python3}" "$here/check.py" </dev/null
