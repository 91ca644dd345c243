#!/usr/bin/env bash
# eglot against the real server, configured as docs/editors/emacs.md says.
#   DETOUR=command run.sh EMACS...   one run for each; every feature that eglot has is driven
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../workspace.sh"
export DETOUR=${DETOUR:?the command of the server}
path=$PATH rc=0
for emacs in "$@"; do
  PATH=$path; make_workspace
  echo "== $emacs: $("$emacs" --version | head -1)"
  { from_guide emacs.md eglot elisp; from_guide emacs.md More elisp; } >"$tmp/home/init.el"
  (
    cd "$FOLDER"
    export PATH=$tmp/bin:$path HOME=$tmp/home
    export REPORT=$tmp/report TERM=xterm
    # In a terminal of its own: without one (--batch) Emacs waits for no events of files and runs no timers.
    timeout 120 script -qec "'$emacs' -nw -q -l '$here/harness.el' -l '$tmp/home/init.el' -l '$here/check.el'" /dev/null </dev/null >"$tmp/screen"
  ) || rc=1
  cat "$tmp/report" || { cat "$tmp/screen"; rc=1; }
  # One is stopped and started again, one is shut down at the end.
  check_server 2 || rc=1
  echo
  rm -rf "$tmp"
done
exit $rc
