#!/usr/bin/env bash
# Says what is missing, instead of failing somewhere later: `require.sh python PYTHON`, `require.sh node MAJOR`.
set -euo pipefail
case "$1" in
  python)
    command -v "$2" >/dev/null || { echo "Detour needs Python 3.10 or newer; '$2' was not found. Install it, or name it: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
    "$2" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Detour needs Python 3.10 or newer; '$2' is $("$2" -V 2>&1). Name another: make PYTHON=python3.11 ..." >&2; exit 1; }
    "$2" -c 'import venv, ensurepip' 2>/dev/null || { echo "'$2' cannot make virtual environments; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
    ;;
  node)
    command -v node >/dev/null || { echo "The extension's tests need Node.js $2 or newer; 'node' was not found." >&2; exit 1; }
    node -e "process.exit(+process.versions.node.split('.')[0] >= $2 ? 0 : 1)" || { echo "The extension's tests need Node.js $2 or newer; this is $(node -v)." >&2; exit 1; }
    command -v npm >/dev/null || { echo "The extension's tests need npm, which was not found." >&2; exit 1; }
    ;;
esac
