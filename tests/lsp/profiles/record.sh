#!/usr/bin/env bash
# Writes what real editors announce into this folder. Each editor is started with a server that only takes note (record.py).
#   NVIM=nvim EMACS=emacs HX=hx tests/lsp/profiles/record.sh     (Neovim 0.11, Emacs 30, which brings eglot, Helix 25.01:
#                                                                 `make test-editors` puts them into client-vscode/.stack)
#   node tests/lsp/profiles/record-vscode.mjs                    (the extension in a real VS Code)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
server="python3 $here/record.py"
echo 'import torch' >"$tmp/a.py"
mkdir -p "$tmp/home/.config/helix"
export HOME=$tmp/home
unset XDG_CONFIG_HOME

CAPABILITIES=$here/neovim.json timeout 60 "${NVIM:-nvim}" --headless -u NONE -i NONE -n "$tmp/a.py" -c "lua
  local id = vim.lsp.start({ name = 'detour', cmd = { 'python3', '$here/record.py' }, root_dir = '$tmp' })
  vim.wait(20000, function() return vim.lsp.get_client_by_id(id).initialized end, 20)" -c 'qall!' </dev/null

CAPABILITIES=$here/emacs.json timeout 60 "${EMACS:-emacs}" --batch --eval "(progn
  (require 'eglot)
  (setq eglot-server-programs '((python-mode . (\"python3\" \"$here/record.py\"))) eglot-sync-connect 20)
  (find-file \"$tmp/a.py\") (python-mode) (apply #'eglot (eglot--guess-contact)) (eglot-shutdown (eglot-current-server)))" </dev/null

printf '[language-server.detour]\ncommand = "python3"\nargs = ["%s"]\n[[language]]\nname = "python"\nlanguage-servers = ["detour"]\n' \
  "$here/record.py" >"$tmp/home/.config/helix/languages.toml"
# Helix wants a terminal: `script` gives it one, and it is told to quit once the server has been greeted.
(sleep 8; printf ':quit-all!\r') | CAPABILITIES=$here/helix.json TERM=xterm-256color timeout 60 \
  script -qec "${HX:-hx} $tmp/a.py" /dev/null >/dev/null
