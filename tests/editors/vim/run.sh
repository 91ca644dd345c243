#!/usr/bin/env bash
# Vim with ALE against the real server, configured as docs/editors/vim.md says.
#   DETOUR=command PYTHON=a Python with pyte run.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../workspace.sh"
export DETOUR=${DETOUR:?the command of the server}
rc=0
make_workspace
echo "== $(vim --version | head -1), ALE $(dpkg-query -W -f '${Version}' vim-ale)"
{
  from_guide vim.md vimrc vim
  # A status line for the tests, and no files beside those that are edited.
  printf 'set nocompatible noswapfile nobackup viminfo= laststatus=2 statusline=%%f\\ %%m\\ %%l:%%c\n'
} >"$tmp/home/.vimrc"
HOME=$tmp/home timeout 120 "${PYTHON:-python3}" "$here/check.py" </dev/null || rc=1
check_server 1 || rc=1
rm -rf "$tmp"
exit $rc
