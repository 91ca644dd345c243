#!/usr/bin/env bash
# Helix against the real server, configured as docs/editors/helix.md says.
#   DETOUR=command PYTHON=a Python with pyte run.sh HX...   one run for each
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../workspace.sh"
export DETOUR=${DETOUR:?the command of the server}
path=$PATH rc=0
for hx in "$@"; do
  PATH=$path; make_workspace
  echo "== $hx: $("$hx" --version | head -1)"
  configuration=$tmp/home/.config/helix
  mkdir -p "$configuration"
  from_guide helix.md languages.toml toml >"$configuration/languages.toml"
  from_guide helix.md config.toml toml >"$configuration/config.toml"
  HX=$hx HOME=$tmp/home timeout 120 "${PYTHON:-python3}" "$here/check.py" </dev/null || rc=1
  # Two are stopped and started again, one is left to the end of the editor.
  check_server 3 || rc=1
  # Debian's Helix brings no grammars; a server that is stopped closes its stream.
  if grep '\[ERROR\]' "$tmp/home/.cache/helix/helix.log" | grep -v 'Failed to load tree-sitter\|StreamClosed'; then echo "FAIL errors in Helix's log (above)"; rc=1; fi
  echo
  rm -rf "$tmp"
done
exit $rc
