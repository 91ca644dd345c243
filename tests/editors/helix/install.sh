#!/usr/bin/env bash
# Helix from Debian 13 beside whatever Debian or Ubuntu this is: unpacked into a folder with the C library that it needs.
#   install.sh FOLDER   writes FOLDER/hx, and FOLDER/venv with pyte. Needs apt-get and Debian's keyring; installs nothing else.
set -euo pipefail
folder=$(mkdir -p "$1" && cd "$1" && pwd)
[ -x "$folder/hx" ] && exit 0
mkdir -p "$folder"/apt/{lists/partial,cache/archives/partial,state,root}
cd "$folder/apt"
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f $keyring ] || { echo "no $keyring: Debian's packages cannot be checked here" >&2; exit 1; }
echo "deb [signed-by=$keyring] http://deb.debian.org/debian trixie main" >sources.list
: >state/status
apt() {
  apt-get -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$PWD/lists" \
    -o Dir::Cache="$PWD/cache" -o Dir::State="$PWD/state" -o Dir::State::status="$PWD/state/status" -o APT::Sandbox::User=root "$@"
}
apt update -qq
apt download -qq hx libc6 libgcc-s1 >/dev/null
for package in ./*.deb; do dpkg -x "$package" root; done
rm -f ./*.deb
lib=$PWD/root/usr/lib/x86_64-linux-gnu
cat >"$folder/hx" <<HX
#!/usr/bin/env bash
export HELIX_RUNTIME=$PWD/root/usr/lib/hx/runtime
exec "$lib/ld-linux-x86-64.so.2" --library-path "$lib" "$PWD/root/usr/lib/hx/hx" "\$@"
HX
chmod +x "$folder/hx"
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check 'pyte==0.8.2'
"$folder/hx" --version
