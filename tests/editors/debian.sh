#!/usr/bin/env bash
# An editor of another Debian, beside whatever Debian or Ubuntu this is: unpacked into a folder with all it needs.
#   debian.sh SUITE PACKAGE FOLDER   PACKAGE: neovim, emacs-nox or hx; FOLDER/editor starts it.
# Needs apt-get and Debian's keyring; installs nothing.
set -euo pipefail
suite=$1 package=$2
folder=$(mkdir -p "$3" && cd "$3" && pwd)
[ -x "$folder/editor" ] && exit 0
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f $keyring ] || { echo "no $keyring: Debian's packages cannot be checked here" >&2; exit 1; }
rm -rf "$folder/apt" "$folder/root"
mkdir -p "$folder"/root "$folder"/apt/{lists/partial,cache/archives/partial,state}
cd "$folder/apt"
echo "deb [signed-by=$keyring] http://deb.debian.org/debian $suite main" >sources.list
: >state/status
apt() {
  apt-get -o Dir::Etc::sourcelist="$PWD/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$PWD/lists" \
    -o Dir::Cache="$PWD/cache" -o Dir::State="$PWD/state" -o Dir::State::status="$PWD/state/status" -o APT::Sandbox::User=root "$@"
}
apt update -qq
# Nothing counts as installed, so all libraries come along, that of C included. What compiles or debugs is left out.
apt install -qq -y --no-install-recommends --download-only "$package" >/dev/null
for file in cache/archives/*.deb; do
  case ${file##*/} in
    binutils* | libbinutils* | *-dev_* | *san[0-9]_* | libgprof* | emacs-el_*) ;;
    *) dpkg -x "$file" ../root ;;
  esac
done
cd .. && rm -rf apt
root=$PWD/root lib=$PWD/root/usr/lib/x86_64-linux-gnu
case $package in
  neovim)
    variables="VIMRUNTIME=$root/usr/share/nvim/runtime LUA_CPATH='$lib/lua/5.1/?.so;;'"
    program="$root/usr/bin/nvim --cmd 'set runtimepath+=$root/usr/lib/nvim'" ;;
  emacs-nox)
    version=$(basename "$root"/usr/share/emacs/[0-9]*)
    share=$root/usr/share/emacs/$version libexec=$(echo "$root/usr/libexec/emacs/$version"/*)
    variables="EMACSLOADPATH=$share/lisp EMACSDATA=$share/etc EMACSDOC=$share/etc EMACSPATH=$libexec"
    program="$root/usr/bin/emacs-nox --dump-file=$(echo "$libexec"/*.pdmp)" ;;
  hx)
    variables="HELIX_RUNTIME=$root/usr/lib/hx/runtime"
    program="$root/usr/lib/hx/hx" ;;
  *) echo "how $package is started is not known here" >&2; exit 2 ;;
esac
cat >editor <<EDITOR
#!/usr/bin/env bash
export $variables
exec "$lib/ld-linux-x86-64.so.2" --library-path "$lib:$root/lib/x86_64-linux-gnu" $program "\$@"
EDITOR
chmod +x editor
./editor --version | head -1
