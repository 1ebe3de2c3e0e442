#!/usr/bin/env bash
# Rebuilds and restarts the portal whenever a source file changes. Runs inside
# `sandbox up`, which sets the portal's environment.
set -uo pipefail

pid=""
trap '[ -n "$pid" ] && kill "$pid" 2>/dev/null; exit 0' INT TERM

state() { find cmd/capstan web views internal static \( -name '*.go' -o -name '*.templ' -o -name '*.js' -o -name '*.toml' -o -name 'input.css' \) \
  ! -name '*_templ.go' -newer "$1" -print -quit; }

mark=$(mktemp)
while true; do
  touch "$mark"
  if make --no-print-directory generate >/dev/null && go build -o bin/capstan ./cmd/capstan; then
    [ -n "$pid" ] && kill "$pid" 2>/dev/null && wait "$pid"
    bin/capstan serve & pid=$!
  fi
  until [ -n "$(state "$mark")" ]; do sleep 0.5; done
done
