#!/usr/bin/env bash
# Uses the archive and the package in a minimal Debian without a toolchain as a newcomer would, and removes them.
#
#   Tests/Rig/installed.sh RELEASE PACKAGE.deb ARCHIVE.tar.gz
#
# RELEASE is bookworm, trixie or testing. Runs as root; prints a transcript, and ends with "installed: passed".
set -euo pipefail

# Mounts of its own, gone with it.
if [ -z "${INSTALLED_INSIDE:-}" ]; then
  INSTALLED_INSIDE=1 exec unshare --mount --pid --fork --kill-child "$0" "$@"
fi
mount --make-rprivate /
release=$1 package=$(realpath "$2") archive=$(realpath "$3")
root=$(mktemp -d)
chmod 755 "$root"
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 'Component: main' 'Origin: Debian' | grep -v security | head -n 1)}
trap 'umount -R "$root/proc" "$root/sys" "$root/dev" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT

# A debootstrap knows the releases of its day; all are laid out as sid is.
debootstrap --variant=minbase "$release" "$root" "$mirror" sid >"$root.log" 2>&1 || { cat "$root.log"; exit 1; }
rm -f "$root.log"
cp "$package" "$archive" "$root/root/"
# A minimal system leaves out manuals only where it is told to.
rm -f "$root/etc/dpkg/dpkg.cfg.d/docker" "$root/etc/apt/apt.conf.d/docker-clean"
# A mirror may be a snapshot.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/snapshot"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"

cat >"$root/root/steps.sh" <<'STEPS'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes LC_ALL=C.UTF-8 PAGER=cat
# "! command" would not end the script.
refuse() { if eval "$@"; then echo "unexpected: $*"; exit 1; fi; }
step() { printf '\n$ %s\n' "$*"; eval "$@"; }
# The README's pipeline, and a server that answers.
pipeline() {
  step 'rssi --version'
  step 'rssi import walk-*.btsnoop --receiver phone --nodes nodes.csv --truth truth.csv -o walks.h5'
  step 'rssi filter walks.h5 -o filtered.h5'
  step 'rssi fit distances.csv -o calibration.json'
  step 'rssi eval walks.h5 --calibration calibration.json --site site.toml --algorithms weighted-centroid,maximum-likelihood,kalman --report report.html'
  step 'rssi locate walks.h5 --calibration calibration.json --site site.toml --report positions.html | tail -n 1'
  step 'rssi export walks.h5 --format ndjson | head -n 1'
  step 'rssi serve walks.h5 --calibration calibration.json --site site.toml --listen 127.0.0.1:8731 >serve.log 2>&1 &'
  server=$!
  for _ in $(seq 1200); do
    if (exec 3<>/dev/tcp/127.0.0.1/8731) 2>refused; then break; fi
    kill -0 $server
    sleep 0.1
  done
  step 'exec 3<>/dev/tcp/127.0.0.1/8731 && printf "GET / HTTP/1.0\r\nHost: 127.0.0.1:8731\r\n\r\n" >&3 && head -n 1 <&3'
  exec 3>&-
  kill -INT $server && wait $server
  echo "the server ended"
}
STEPS

cat >"$root/root/archive.sh" <<'ARCHIVE'
. /tmp/steps.sh
step 'tar xzf /tmp/rssi-*-linux-*.tar.gz'
step 'du -sh --apparent-size rssi-*-linux-* | cut -f 1'
# A link to the program suffices.
step 'mkdir bin && ln -s ../$(echo rssi-*-linux-*)/bin/rssi bin/rssi'
PATH=$HOME/bin:$PATH
refuse "ldd rssi-*-linux-*/bin/rssi | grep 'not found'"
# Nothing but glibc is the system's.
refuse "ldd rssi-*-linux-*/bin/rssi | grep -vE '/lib/rssi/|linux-vdso|/ld-linux|/lib(c|m|dl|rt|resolv|pthread)\.so'"
step 'cp -r rssi-*-linux-*/share/doc/rssi/notebooks-data/example . && cd example'
pipeline
ARCHIVE

cat >"$root/root/newcomer.sh" <<'NEWCOMER'
. ./steps.sh
refuse 'command -v swift'
step 'grep PRETTY_NAME /etc/os-release'
useradd --create-home newcomer
cp steps.sh archive.sh rssi-*-linux-*.tar.gz /tmp
step 'su newcomer -s /bin/bash -c "cd && bash /tmp/archive.sh"'
userdel --remove newcomer
rm /tmp/steps.sh /tmp/archive.sh /tmp/rssi-*-linux-*.tar.gz

# For everyone, and gone again (docs/install.md).
find / -xdev \( -name proc -prune \) -o -print | sort >/tmp/before.txt
stat -c '%n %a %G' /usr/local/* >/tmp/modes.txt
step 'tar xzf rssi-*-linux-*.tar.gz -C /usr/local --strip-components 1 --no-overwrite-dir'
step 'stat -c "%n %a %G" /usr/local/* | diff /tmp/modes.txt -'
step 'mkdir /none && unshare --mount --propagation unchanged sh -c "mount --bind /none /proc && rssi --version"'
step 'tar tzf rssi-*-linux-*.tar.gz | cut -d / -f 2- | tac | (cd /usr/local && xargs rm -d 2>/dev/null) || true'
rmdir /none
step 'find / -xdev \( -name proc -prune \) -o -print | sort | diff /tmp/before.txt - | grep -v /tmp/modes.txt | grep rssi && exit 1 || echo "nothing of the archive is left"'

apt-get update -q >/dev/null
find / -xdev \( -name proc -prune \) -o -type f -print | sort >/tmp/before.txt
step 'apt-get install -q -y --no-install-recommends ./rssi_*.deb | tail -n 3'
step 'ldd /usr/bin/rssi | grep -c . '
refuse "ldd /usr/bin/rssi | grep -E 'swift|Foundation|not found'"
step 'du -k --apparent-size /usr/bin/rssi'
step 'cp -r /usr/share/doc/rssi/notebooks-data/example . && cd example'
pipeline
cd ..
apt-get install -q -y --no-install-recommends hdf5-tools >/dev/null
# HDF5 of this release reads the program's file, and the program reads what that wrote.
step 'h5dump --version'
step 'h5dump -d /sightings/rssi_dbm -s 0 -c 3 example/walks.h5 | grep -F "(0):"'
step 'h5repack example/walks.h5 repacked.h5'
step 'cmp <(rssi export repacked.h5) <(rssi export example/walks.h5) && echo equal'
apt-get install -q -y --no-install-recommends man-db bash-completion >/dev/null
step 'man rssi-import | head -n 12'
step 'for stage in $(rssi --experimental-dump-help | grep -o "\"commandName\" *: *\"[a-z]*\"" | cut -d\" -f4 | sort -u); do [ ! -e /usr/share/man/man1/rssi-$stage.1.gz ] || man rssi-$stage >/dev/null; done'
cat >complete.sh <<'COMPLETE'
source /usr/share/bash-completion/bash_completion
declare -F _completion_loader >/dev/null || _completion_loader() { _comp_load "$1"; }
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
step 'rssi --version'
step 'apt-get purge -q -y rssi | tail -n 2'
find / -xdev \( -name proc -prune \) -o -type f -print | sort >/tmp/after.txt
step 'comm -13 /tmp/before.txt /tmp/after.txt | grep -i rssi | grep -v "^/root/\|^/tmp/\|^/var/cache/man/" && exit 1 || echo "nothing of rssi is left"'
NEWCOMER
chroot "$root" /bin/bash -c 'cd /root && bash newcomer.sh'
echo "installed: passed"
