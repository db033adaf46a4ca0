#!/usr/bin/env bash
# Installs a package in a minimal Debian 12 without a toolchain, uses it as a newcomer would, and removes it.
#
#   Tests/Rig/installed.sh PACKAGE.deb    as root; prints a transcript, and ends with "installed: passed"
set -euo pipefail

# Mounts of its own, gone with it.
if [ -z "${INSTALLED_INSIDE:-}" ]; then
  INSTALLED_INSIDE=1 exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi
mount --make-rprivate /
package=$(realpath "$1")
root=$(mktemp -d)
chmod 755 "$root"
mirror=$(apt-get indextargets --format '$(SITE)' 'Codename: bookworm' 'Created-By: Packages' | grep -v security | head -n 1)
trap 'umount -R "$root/proc" "$root/sys" "$root/dev" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT

debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || { cat "$root.log"; exit 1; }
rm -f "$root.log"
cp "$package" "$root/root/"
# A minimal system leaves out manuals only where it is told to.
rm -f "$root/etc/dpkg/dpkg.cfg.d/docker" "$root/etc/apt/apt.conf.d/docker-clean"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"

cat >"$root/root/newcomer.sh" <<'NEWCOMER'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes LC_ALL=C.UTF-8 PAGER=cat
step() { printf '\n$ %s\n' "$*"; eval "$@"; }
! command -v swift
apt-get update -q >/dev/null
find / -xdev \( -name proc -prune \) -o -type f -print | sort >/tmp/before.txt
step 'apt-get install -q -y --no-install-recommends ./rssi_*.deb | tail -n 3'
step 'rssi --version'
step 'ldd /usr/bin/rssi | grep -c . '
! ldd /usr/bin/rssi | grep -E 'swift|Foundation|not found'
step 'du -k --apparent-size /usr/bin/rssi'
step 'cp -r /usr/share/doc/rssi/notebooks-data/example . && cd example'
step 'rssi import walk-*.btsnoop --receiver phone --nodes nodes.csv --truth truth.csv -o walks.h5'
step 'rssi filter walks.h5 -o filtered.h5'
step 'rssi fit distances.csv -o calibration.json'
step 'rssi eval walks.h5 --calibration calibration.json --site site.toml --algorithms weighted-centroid,maximum-likelihood,kalman --report report.html'
step 'rssi locate walks.h5 --calibration calibration.json --site site.toml --report positions.html | tail -n 1'
step 'rssi export walks.h5 --format ndjson | head -n 1'
cd ..
apt-get install -q -y --no-install-recommends man-db bash-completion >/dev/null
step 'man rssi-import | head -n 12'
step 'for stage in $(rssi --experimental-dump-help | grep -o "\"commandName\" *: *\"[a-z]*\"" | cut -d\" -f4 | sort -u); do [ ! -e /usr/share/man/man1/rssi-$stage.1.gz ] || man rssi-$stage >/dev/null; done'
cat >complete.sh <<'COMPLETE'
source /usr/share/bash-completion/bash_completion
_completion_loader rssi
function=$(complete -p rssi | sed 's/.*-F \([^ ]*\).*/\1/')
candidates() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMPREPLY=(); "$function" rssi "${@: -1}" "${@: -2:1}" || true; echo "$* -> ${COMPREPLY[*]}"; }
candidates rssi impo
cd example
candidates rssi import wal
candidates rssi filter walks.h5 --filter kal
COMPLETE
step 'bash complete.sh'
step 'echo "rssi rssi/capture-by-users boolean true" | debconf-set-selections && apt-get install -q -y --no-install-recommends libcap2-bin debconf-utils >/dev/null && dpkg-reconfigure -f noninteractive rssi && getcap /usr/bin/rssi'
step 'apt-get purge -q -y rssi | tail -n 2'
find / -xdev \( -name proc -prune \) -o -type f -print | sort >/tmp/after.txt
step 'comm -13 /tmp/before.txt /tmp/after.txt | grep -i rssi | grep -v "^/root/\|^/tmp/\|^/var/cache/man/" && exit 1 || echo "nothing of rssi is left"'
NEWCOMER
chroot "$root" /bin/bash -c 'cd /root && bash newcomer.sh'
echo "installed: passed"
