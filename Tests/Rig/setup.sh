#!/bin/bash
# Fetches what the guest needs into $RIG_CACHE (default ~/.cache/btguest): Debian's kernel as an ELF file,
# which QEMU boots through PVH, its modules, and base.cpio, the first file system. Does nothing when
# everything is there and newer than its sources.
#
# Needs qemu-system-x86 busybox-static cpio kmod xz-utils gcc python3; apt-get fetches the kernel's package,
# which is unpacked and never installed. No root.
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin
here=$(cd "$(dirname "$0")" && pwd)
cache=${RIG_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/btguest}

for tool in qemu-system-x86_64 busybox cpio modprobe xz gcc python3; do
	command -v $tool >/dev/null || { echo "the guest needs $tool: run scripts/bootstrap test" >&2; exit 69; }
done
[ "$(uname -m)" = x86_64 ] || { echo "the guest needs an x86-64 machine" >&2; exit 69; }

mkdir -p "$cache"
exec 9>"$cache/lock"
flock 9
[ "$cache/vhci_beacons" -nt "$here/emu/vhci_beacons.c" ] ||
	gcc -O2 -Wall -static -o "$cache/vhci_beacons" "$here/emu/vhci_beacons.c"
[ "$cache/tsckhz" -nt "$here/emu/tsckhz.c" ] || gcc -O2 -o "$cache/tsckhz" "$here/emu/tsckhz.c"
if [ -s "$cache/vmlinux" ] && [ "$cache/base.cpio" -nt "$cache/vhci_beacons" ] &&
	[ "$cache/base.cpio" -nt "$here/guest-init" ] && [ "$cache/base.cpio" -nt "$here/setup.sh" ]; then
	exit 0
fi

cd "$cache"
if [ ! -s vmlinux ]; then
	package=$(apt-cache depends linux-image-amd64 | awk '/Depends:/{print $2; exit}')
	[ -n "$package" ] || { echo "no package linux-image-amd64: run apt-get update" >&2; exit 69; }
	[ -s "$(ls -1 "${package}"_*.deb 2>/dev/null | head -1)" ] ||
		apt-get -q -o APT::Sandbox::User=root download "$package" >&2 ||
		{ echo "$package cannot be downloaded: run apt-get update" >&2; exit 69; }
	rm -rf k && mkdir k
	# Only the image and the modules leave the archive (5 s -> 2 s).
	dpkg-deb --fsys-tarfile "${package}"_*.deb | tar -x -C k --wildcards './boot/vmlinuz*' './lib/modules/*'
	ver=$(ls k/lib/modules)
	depmod -b k "$ver"
	# bzImage -> ELF: the setup header says where the xz payload lies.
	python3 - "k/boot/vmlinuz-$ver" vmlinux.tmp <<'PY'
import struct, subprocess, sys
image = open(sys.argv[1], 'rb').read()
offset, length = struct.unpack_from('<II', image, 0x248)
start = ((image[0x1f1] or 4) + 1) * 512 + offset
result = subprocess.run(['xz', '-dc', '--single-stream'], input=image[start:start + length],
                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
assert result.stdout[:4] == b'\x7fELF'
open(sys.argv[2], 'wb').write(result.stdout)
PY
	echo "$ver" >version
	mv vmlinux.tmp vmlinux
	rm -f "${package}"_*.deb
fi
ver=$(cat version)

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/{bin,dev,proc,sys,tmp,out,host,modules,lib64,lib/x86_64-linux-gnu}
cp "$(command -v busybox)" "$root/bin/busybox"
cp vhci_beacons "$root/bin/"
# Which modules each group needs, in load order.
for group in "console:virtio_mmio virtio_console" "p9:9pnet_virtio 9p overlay" "bt:hci_vhci cmac ecb" \
	"alg:algif_hash algif_skcipher" "uart:hci_uart"; do
	for module in ${group#*:}; do
		modprobe -d k -S "$ver" --show-depends "$module" | awk '/^insmod/{print $2}'
	done | awk '!s[$0]++' | while read -r file; do
		cp "$file" "$root/modules/"
		basename "$file"
	done >"$root/modules/${group%%:*}.list"
done
install -m755 "$here/guest-init" "$root/init"
(cd "$root" && find . -print0 | cpio --null -o -H newc --quiet -R 0:0) >base.tmp
mv base.tmp base.cpio
