#!/usr/bin/env bash
# Installs what the end-to-end run needs, from Debian, npm and PyPI only: Chromium, Node 24, code-server
# (a real VS Code), debugpy (a real debug adapter), and a Chinese language pack made here. Re-runnable.
#   E2E_STACK=/some/dir test/e2e/setup.sh        (default: client-vscode/.stack, outside git)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
client=$(cd "$here/../.." && pwd)
stack=${E2E_STACK:-$client/.stack}
CODE_SERVER=4.139.1   # VS Code 1.139.1; wants Node 24 exactly (major)
NODE=24.21.0
DEBUGPY=1.8.22
mkdir -p "$stack"

step() { printf '[setup %4ss] %s\n' "$SECONDS" "$*"; }

# 1. Chromium from Debian, with fonts for the Chinese run.
if ! command -v chromium >/dev/null || ! fc-list 2>/dev/null | grep -qi 'noto.*cjk'; then
  step 'apt: chromium, fonts'
  apt-get -o DPkg::Lock::Timeout=600 update -qq
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends \
    chromium fonts-dejavu-core fonts-noto-cjk fontconfig >/dev/null
fi

# 2. Node 24 from the npm platform package (binary plus headers), beside the system Node.
case $(uname -m) in x86_64) arch=x64 ;; aarch64) arch=arm64 ;; *) echo "no node package for $(uname -m)" >&2; exit 1 ;; esac
mkdir -p "$stack/node" && cd "$stack/node"
[ -f package.json ] || echo '{"name":"node24","private":true}' >package.json
nodedir=$stack/node/node_modules/node-linux-$arch
if [ ! -x "$nodedir/bin/node" ]; then
  step "npm: node-linux-$arch@$NODE"
  npm install --no-audit --no-fund --silent "node-linux-$arch@$NODE"
fi
ln -sfn "$nodedir" "$stack/node24"

# 3. code-server, without its postinstall: that one compiles ten native modules (five minutes), and kerberos
#    also wants libkrb5-dev. node-pty, @parcel/watcher, ripgrep and argon2 ship prebuilds; the only other one
#    that matters is spdlog: without it every Output channel and log file stays empty.
mkdir -p "$stack/code-server" && cd "$stack/code-server"
[ -f package.json ] || echo '{"name":"code-server-host","private":true}' >package.json
if [ ! -f ".installed-$CODE_SERVER" ]; then
  (
    export PATH="$nodedir/bin:$PATH" npm_config_nodedir=$nodedir
    step "npm: code-server@$CODE_SERVER"
    npm install --no-audit --no-fund --silent --ignore-scripts "code-server@$CODE_SERVER"
    vs=$PWD/node_modules/code-server/lib/vscode
    (cd "$vs" && npm install --omit=dev --no-audit --no-fund --silent --ignore-scripts)
    (cd "$vs/extensions" && npm install --omit=dev --no-audit --no-fund --silent --ignore-scripts)
    step 'build @vscode/spdlog'
    (cd "$vs" && npm rebuild --silent @vscode/spdlog --dangerously-allow-all-scripts)
    ln -sfn code-linux.sh "$vs/bin/remote-cli/code-server"
    ln -sfn browser-linux.sh "$vs/bin/helpers/browser.sh"
    touch ".installed-$CODE_SERVER"
  )
fi
ln -sfn "$PWD/node_modules/code-server/out/node/entry.js" "$stack/code-server.js"

# 4. A Python without Detour for the user's programs, with debugpy: the debug session in the test is a real one.
if [ ! -x "$stack/venv/bin/python" ] || ! "$stack/venv/bin/python" -c 'import debugpy' 2>/dev/null; then
  step "pip: debugpy==$DEBUGPY"
  python3 -m venv "$stack/venv"
  "$stack/venv/bin/pip" install -q --disable-pip-version-check "debugpy==$DEBUGPY"
fi

# 5. The driver's own packages.
step 'npm: playwright-core'
(cd "$here" && npm ci --no-audit --no-fund --silent)
step 'done'
