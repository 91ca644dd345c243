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

# 0. What cannot be installed here is said at once, and all of it.
missing=()
case $(uname -sm) in
  'Linux x86_64') arch=x64 ;;
  'Linux aarch64') arch=arm64 ;;
  *) missing+=("Linux on x64 or arm64 (this is $(uname -sm)); the code-server of the test is built for that. A container or WSL will do") ;;
esac
chromium=${CHROMIUM:-$(command -v chromium || true)}
has_chinese() { [ -n "$(fc-list :lang=zh-cn family 2>/dev/null)" ]; }
want=()
[ -x "$chromium" ] || want+=(chromium fonts-dejavu-core)
has_chinese || want+=(fontconfig fonts-noto-cjk)
command -v g++ >/dev/null && command -v make >/dev/null || [ -f "$stack/code-server/.installed-$CODE_SERVER" ] || want+=(g++ make)
if [ ${#want[@]} -gt 0 ] && { ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; }; then
  missing+=("these programs, which only root can install here with apt-get (Debian, Ubuntu): ${want[*]}. From elsewhere, Chromium is named with CHROMIUM=/path/to/chromium")
fi
python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || missing+=('Python 3.10 or newer with venv, as python3')
if [ ${#missing[@]} -gt 0 ]; then
  echo 'The test in a real VS Code cannot run here. It needs:' >&2
  printf '  - %s\n' "${missing[@]}" >&2
  echo 'Without it: npm run test:unit' >&2
  exit 1
fi

# 1. Chromium from Debian, with fonts for the Chinese run, and a compiler for one module of code-server.
if [ ${#want[@]} -gt 0 ]; then
  step "apt: ${want[*]}"
  apt-get -o DPkg::Lock::Timeout=600 update -qq
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq --no-install-recommends "${want[@]}" >/dev/null
fi

# 2. Node 24 from the npm platform package (binary plus headers), beside the system Node.
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
