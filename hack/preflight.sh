#!/usr/bin/env bash
# Checks what a first run needs, before anything is built: each fault is one
# sentence that says what to do. Usage: hack/preflight.sh run|test
set -uo pipefail

fault() { echo "capstan: $*" >&2; exit 1; }

for tool in git gcc go node npm; do
  command -v "$tool" >/dev/null || fault "'$tool' is not installed; on Debian: git, make, gcc, Go 1.26 or newer, Node 20 or newer and npm are needed."
done

need=$(awk '/^go / {print $2}' go.mod)
have=$(GOTOOLCHAIN=local go env GOVERSION 2>/dev/null | sed 's/^go//; s/[^0-9.].*//')
if [ "$(printf '%s\n%s\n' "$need" "$have" | sort -V | head -1)" != "$need" ]; then
  fault "Go $need or newer is needed, but this is Go ${have:-unknown}; install it from https://go.dev/dl."
fi

major=$(node --version | sed 's/^v//; s/\..*//')
[ "$major" -ge 18 ] || fault "Node 18 or newer is needed, but this is $(node --version)."

free=$(df -Pk . | awk 'NR==2 {print int($4/1024/1024)}')
[ "$free" -ge 4 ] || fault "only ${free} GiB are free on this disk; the first build needs about 12 GiB and a run 4 GiB."

if [ "${1:-}" = run ] && (exec 3<>"/dev/tcp/127.0.0.1/${PORT:-8080}") 2>/dev/null; then
  fault "port ${PORT:-8080} is taken by another program; choose another one with 'make run PORT=8081'."
fi
exit 0
