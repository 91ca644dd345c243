#!/usr/bin/env bash
# Neovim's own client against the real server, configured as docs/editors/neovim.md says.
#   DETOUR=command run.sh NVIM...   one run for each; every feature that this Neovim's client has is driven
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../workspace.sh"
export DETOUR=${DETOUR:?the command of the server}
path=$PATH rc=0
for nvim in "$@"; do
  PATH=$path; make_workspace
  echo "== $nvim: $("$nvim" --version | head -1)"
  section='Neovim 0.7 to 0.10'
  "$nvim" --headless -u NONE -i NONE -c 'execute has("nvim-0.11") ? "qall!" : "cquit"' </dev/null && section='Neovim 0.11 and newer'
  mkdir -p "$tmp/config/nvim"
  { from_guide neovim.md "$section" lua; from_guide neovim.md 'More' lua; } >"$tmp/config/nvim/init.lua"
  (
    cd "$FOLDER"
    export PATH=$tmp/bin:$path:$root/.venv/bin HOME=$tmp/home XDG_STATE_HOME=$tmp/state XDG_CONFIG_HOME=$tmp/config XDG_DATA_HOME=$tmp/data
    timeout 120 "$nvim" --headless -i NONE -n --cmd "set runtimepath^=$here" -c 'lua require("check")' </dev/null
  ) || rc=1
  # One is stopped and started again, one is left to the end of the editor.
  check_server 2 || rc=1
  # What other servers (ruff, which is in .venv) write to standard error is an error for Neovim.
  if grep -h '\[ERROR\]' "$tmp"/state/nvim/lsp.log "$tmp"/state/nvim/logs/lsp.log 2>/dev/null | grep -v '"ruff"'; then echo "FAIL errors in the client's log (above)"; rc=1; fi
  echo
  rm -rf "$tmp"
done
exit $rc
