#!/usr/bin/env bash
# Emacs eglot against the real server. apt-get install -y --no-install-recommends emacs-nox elpa-eglot
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../workspace.sh"
export DETOUR=${DETOUR:?the command of the server}
make_workspace
trap 'rm -rf "$tmp"' EXIT
HOME=$tmp timeout 120 emacs --batch -l "$here/check.el" </dev/null
