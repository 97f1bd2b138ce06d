#!/bin/sh
# `make install` into an empty folder, what it has put there, and that `make uninstall` takes away
# exactly that.
set -eu
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
make -s install DESTDIR="$root" PREFIX=/opt/games
base=$root/opt/games

"$base/bin/banzuke" --help | grep -q '^usage: banzuke COMMAND'
for command in $("$base/bin/banzuke" --help | sed -n 's/^  \([a-z-]*\) .*/\1/p' | grep -v '^--'); do
    "$base/bin/banzuke" "$command" --help | grep -q "^usage: banzuke $command"
done
grep -q '^ExecStart=/opt/games/bin/banzuke serve ' "$base/lib/systemd/system/banzuke.service"
if command -v systemd-analyze >/dev/null; then
    # The command has to be there for the unit to be right.
    sed "s|/opt/games/bin/|$base/bin/|" "$base/lib/systemd/system/banzuke.service" \
        >"$root/banzuke.service"
    said=$(systemd-analyze verify --man=no "$root/banzuke.service" 2>&1 || echo failed)
    [ -z "$said" ] || { echo "$said"; exit 1; }
    rm "$root/banzuke.service"
fi
if command -v man >/dev/null; then
    said=$(man -l --warnings -E UTF-8 -Tutf8 -Z "$base/share/man/man1/banzuke.1" 2>&1 >/dev/null)
    [ -z "$said" ] || { echo "$said"; exit 1; }
fi

: >"$base/bin/another"
make -s uninstall DESTDIR="$root" PREFIX=/opt/games
left=$(cd "$root" && find . -type f -o -type l -o -name banzuke -type d | sort)
[ "$left" = './opt/games/bin/another' ] || { printf 'left:\n%s\n' "$left"; exit 1; }
echo 'install: clean'
