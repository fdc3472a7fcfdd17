#!/usr/bin/env bash
# What docs/images/demo.svg shows: run in a terminal of 80 columns, recorded by make.sh. Everything lands in a folder that is
# thrown away.
set -u
clone=$(cd "$(dirname "$0")/../.." && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export TOOLCRIB_HOME=$place/home XDG_CONFIG_HOME=$place/settings
cd "$place"
printf 'tools:\n  - %s/examples/workshop/tools.mjs\n' "$clone" > toolcrib.yaml
toolcrib() { node "$clone/bin/toolcrib.js" "$@"; }
toolcrib trust --yes > /dev/null 2>&1

type_and_run() {
  printf '\033[32m$\033[0m '
  for ((i = 0; i < ${#1}; i++)); do printf '%s' "${1:i:1}"; sleep 0.03; done
  printf '\n'
  eval "$1"
  sleep "${2:-1.5}"
}

type_and_run 'toolcrib call math.add a=1 b=2' 1
type_and_run 'toolcrib show last' 3
type_and_run 'toolcrib call notes.write path=hello.md text=hi --detach' 2
type_and_run 'toolcrib approvals show last' 3
type_and_run 'toolcrib approvals approve last --yes' 2
type_and_run 'toolcrib log' 3
