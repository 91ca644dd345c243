# What the tests of every editor share: a small workspace, the command `detour` as a guide expects it on PATH, the
# configuration out of the guide itself, and what the server left behind.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# FOLDER: a dead end in code, two programs that failed, and what torch 2.13.0 printed.
make_workspace() {
  tmp=$(mktemp -d)
  export FOLDER=$tmp/project SERVER_LOG=$tmp/server.log
  mkdir -p "$FOLDER" "$tmp/bin" "$tmp/home"
  local limit=$root/seeds/pytorch/compile-recompilation-limit shapes=$root/seeds/pytorch/matmul-shape-mismatch
  cp "$limit/repro_dynamic_false.py" "$FOLDER/"
  cp "$limit/logs/dynamic-false-torch-2.13.0.txt" "$FOLDER/train.log"
  cp "$shapes/repro.py" "$FOLDER/classifier.py"
  sed 's/repro\.py/classifier.py/' "$shapes/logs/torch-2.13.0.txt" >"$FOLDER/classifier.log"
  printf 'import torch\n\ntorch._dynamo.config.recompile_limit = 0\nprint(torch.compile)\n' >"$FOLDER/bad.py"
  printf '[project]\nname = "example"\nversion = "1"\n' >"$FOLDER/pyproject.toml"
  # The server as it is, except that it keeps its own log, and that its exit status is noted: in a session of its own,
  # since Emacs kills what it has told to exit.
  cat >"$tmp/bin/detour" <<COMMAND
#!/usr/bin/env bash
if [ "\$1" = server ]; then
  exec 3<&0
  setsid bash -c '"\$@"; echo \$? >>"$tmp/server.exits"' - "$DETOUR" "\$@" --log-file "$SERVER_LOG" <&3 3<&- 2>>"$tmp/server.stderr" &
  exec 3<&- 1>&-
  wait
else
  exec "$DETOUR" "\$@"
fi
COMMAND
  chmod +x "$tmp/bin/detour"
  touch "$tmp/server.exits"
  export PATH=$tmp/bin:$PATH
}

# The code of a language that a guide shows under a heading (all blocks of that section, one after the other).
from_guide() { # GUIDE HEADING LANGUAGE
  awk -v heading="## $2" -v fence="\`\`\`$3" '
    /^## / { inside = ($0 == heading); found = found || inside }
    inside && $0 == fence { code = 1; blocks++; next }
    /^```$/ { code = 0 }
    code { print }
    END { if (!blocks) { print "no block of " fence " under " heading > "/dev/stderr"; exit 1 } }
  ' "$root/docs/editors/$1"
}

# Every server must have ended as LSP asks, and have had nothing to complain of.
check_server() { # NUMBER OF SERVERS THAT WERE STARTED
  local rc=0 exits wanted
  for _ in {1..50}; do [ "$(wc -l <"$tmp/server.exits")" -ge "$1" ] && break; sleep 0.1; done
  exits=$(paste -sd' ' "$tmp/server.exits")
  wanted=$(yes 0 | head -n "$1" | paste -sd' ')
  [ "$exits" = "$wanted" ] || { echo "FAIL the servers ended with: ${exits:-nothing} instead of $wanted"; rc=1; }
  if grep -qE ' (WARNING|ERROR|CRITICAL) |Traceback' "$SERVER_LOG"; then cat "$SERVER_LOG"; echo "FAIL the server complained (above)"; rc=1; fi
  if [ -s "$tmp/server.stderr" ]; then cat "$tmp/server.stderr"; echo "FAIL the server wrote to standard error (above)"; rc=1; fi
  [ $rc = 0 ] && echo "ok   servers ended with $exits, and complained of nothing"
  return $rc
}
