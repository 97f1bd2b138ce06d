#!/bin/sh
# Usage: deps.sh PACKAGE... -- installs the missing ones, or says how and stops.
set -eu
missing=
for p in "$@"; do
    dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' ||
        missing="$missing $p"
done
[ -z "$missing" ] && exit 0

line="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    as=
elif sudo -n true 2>/dev/null; then
    as="sudo -n"
else
    echo "missing packages; run:  sudo $line" >&2
    exit 1
fi
# An old package list is the usual reason for a failed install: refresh it and try once more.
export DEBIAN_FRONTEND=noninteractive
$as $line >/dev/null 2>&1 || { $as apt-get update -qq && $as $line >/dev/null; }
