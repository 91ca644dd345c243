# A small workspace for the editor tests: a dead end in code, a program that failed, and what torch 2.13.0 printed.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
make_workspace() {
  tmp=$(mktemp -d)
  export FOLDER=$tmp/project
  mkdir -p "$FOLDER"
  local record=$root/seeds/pytorch/compile-recompilation-limit
  cp "$record/repro_dynamic_false.py" "$FOLDER/"
  cp "$record/logs/dynamic-false-torch-2.13.0.txt" "$FOLDER/train.log"
  printf 'import torch\n\ntorch._dynamo.config.recompile_limit = 0\nprint(torch.compile)\n' >"$FOLDER/bad.py"
}
