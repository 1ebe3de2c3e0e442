#!/usr/bin/env bash
# Makes sure that a Chromium is there for the browser tests; installs Debian's
# headless one, which takes half the CPU of a whole browser, where that is
# allowed, and says what to do where it isn't.
set -uo pipefail

for c in chromium-headless-shell chromium chromium-browser google-chrome; do
  command -v "$c" >/dev/null && exit 0
done
install="apt-get install -y chromium-headless-shell"
if command -v apt-get >/dev/null; then
  sudo=""
  if [ "$(id -u)" -ne 0 ]; then sudo="sudo -n"; fi
  if [ -z "$sudo" ] || sudo -n true 2>/dev/null; then
    echo "installing Chromium for the browser tests" >&2
    $sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $sudo $install -qq >/dev/null && exit 0
  fi
fi
echo "capstan: the browser tests need Chromium and it can't be installed from here; install it yourself (Debian: sudo $install) and run 'make test' again." >&2
exit 1
