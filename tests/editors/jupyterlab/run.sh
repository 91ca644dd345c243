#!/usr/bin/env bash
# JupyterLab with jupyterlab-lsp against the real server, configured as docs/editors/jupyterlab.md says, in Chromium.
#   DETOUR=command run.sh VENV   VENV: what install.sh made
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
source "$here/../workspace.sh"
export DETOUR=${DETOUR:?the command of the server}
venv=$(cd "$1" && pwd) rc=0
make_workspace
echo "== JupyterLab $("$venv/bin/jupyter-lab" --version)"
mkdir -p "$tmp/config/jupyter_server_config.d" "$tmp/home/.ipython/profile_default/startup"
from_guide jupyterlab.md detour.json json >"$tmp/config/jupyter_server_config.d/detour.json"
from_guide jupyterlab.md 'The card below a failed cell' python >"$tmp/home/.ipython/profile_default/startup/detour.py"
# The question whether it may fetch news would stand over the page.
settings=$tmp/home/.jupyter/lab/user-settings/@jupyterlab/apputils-extension
mkdir -p "$settings"
echo '{"fetchNews": "false"}' >"$settings/notification.jupyterlab-settings"
(
  cd "$FOLDER"
  export HOME=$tmp/home JUPYTER_CONFIG_PATH=$tmp/config JUPYTER_RUNTIME_DIR=$tmp/runtime
  timeout 120 "$venv/bin/python" "$here/check.py" </dev/null
) || rc=1
# One for each document that was the only one open.
check_server 3 || rc=1
rm -rf "$tmp"
exit $rc
