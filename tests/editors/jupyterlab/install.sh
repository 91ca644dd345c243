#!/usr/bin/env bash
# JupyterLab with jupyterlab-lsp, and playwright to drive it in Debian's Chromium: install.sh FOLDER makes a venv there.
set -euo pipefail
[ -x "$1/bin/jupyter-lab" ] && [ -e "$1/.complete" ] && exit 0
python3 -m venv "$1"
"$1/bin/pip" install -q --disable-pip-version-check 'jupyterlab==4.6.6' 'jupyterlab-lsp==5.3.0' 'ipykernel==7.4.0' 'playwright==1.65.2'
touch "$1/.complete"
