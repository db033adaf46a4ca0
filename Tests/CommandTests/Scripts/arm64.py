"""Compares what the C libraries are on x86-64 and on arm64, where `char` is unsigned, for the sources of this repository.

    arm64.py CLANG    in the repository; ends with 1 and the differences if some are not expected
"""

import re
import subprocess
import sys
from pathlib import Path

TARGETS = {"x86_64-linux-gnu": "/usr/include/x86_64-linux-gnu", "aarch64-linux-gnu": "/usr/aarch64-linux-gnu/include"}
# The compiler takes their fields and values from the headers of the machine that it builds for.
BY_NAME = {"stat", "O_DIRECTORY", "O_NOFOLLOW"}
# The headers that Swift imports. Others belong to a C source, which is compiled, too.
SHIMS = sorted([*Path("Sources/C").glob("*/shim.h"), *Path("Sources/C").glob("*/include/*.h")])
# What Swift imports of the C library itself.
GLIBC = "".join(f"#include <{name}.h>\n" for name in (
    "dirent errno fcntl net/if netdb netinet/in poll pthread signal spawn stdio stdlib string sys/file sys/ioctl sys/resource "
    "sys/socket sys/stat sys/statvfs sys/time sys/timex sys/uio sys/un sys/utsname sys/wait termios time unistd").split())
SWIFT = "\n".join(path.read_text() for path in Path("Sources").rglob("*.swift"))
NAMES = set(re.findall(r"\b[A-Za-z_]\w+", SWIFT + "".join(path.read_text() for path in SHIMS)))


def clang(target: str, *arguments: str, text: str = "") -> str:
    packages = subprocess.run(["pkg-config", "--cflags-only-I", "hdf5", "gsl", "libarchive"], capture_output=True, text=True)
    folders = [TARGETS[target], *(word[2:] for word in packages.stdout.split()), "/usr/include", TARGETS["x86_64-linux-gnu"]]
    command = [sys.argv[1], "-target", target, "-nostdlibinc", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-Wno-pragma-once-outside-header"]
    result = subprocess.run(
        command + [f"-isystem{folder}" for folder in dict.fromkeys(folders)] + list(arguments),
        input=text, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{target}: {result.stderr}")
    return result.stdout


def of_all(target: str, *arguments: str) -> str:
    """Returns the output of clang for the headers of all libraries, one after the other."""
    texts = [f'#include "{shim.resolve()}"\n' for shim in SHIMS] + [GLIBC]
    return "".join(clang(target, "-xc", *arguments, "-", text=text) for text in texts)


def layouts(target: str) -> dict[str, str]:
    """Returns the sizes and the offsets of structures."""
    found = {}
    text = of_all(target, "-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete")
    for record in text.split("*** Dumping AST Record Layout")[1:]:
        lines = record.strip().splitlines()
        name = re.sub(r".*\| (struct|union) ", "", lines[0]).split("::")[0]
        # Without the types, whose names differ.
        found[name] = "\n".join(re.sub(r"\| +(\S+ )*(\w+)( \(.*\))?$", r"| \2", line) for line in lines)
    return found


def constants(target: str) -> dict[str, str]:
    """Returns the macros without parameters, expanded."""
    text = GLIBC + "".join(f'#include "{shim.resolve()}"\n' for shim in SHIMS)
    macros = [line.split()[1] for line in clang(target, "-xc", "-E", "-dM", "-", text=text).splitlines()]
    names = [name for name in macros if name in NAMES]
    text += "".join(f"\n@{name.lower()}_value {name}" for name in names)
    lines = clang(target, "-xc", "-E", "-P", "-", text=text).splitlines()
    values = [line.partition(" ")[2] for line in lines if re.match(r"@\w+_value\b", line)]
    return dict(zip(names, values, strict=True))


def main() -> None:
    for source in sorted(Path("Sources/C").glob("*/*.c")):
        clang("aarch64-linux-gnu", "-xc", "-fsyntax-only", f"-I{source.parent}/include", str(source))
    differing = set()
    for read in (layouts, constants):
        x86, arm = (read(target) for target in TARGETS)
        assert len(x86) > 50, len(x86)
        differing |= {name for name in x86.keys() | arm.keys() if name in NAMES and x86.get(name) != arm.get(name)}
    if differing != BY_NAME:
        sys.exit(f"differ: {sorted(differing - BY_NAME)}; no longer: {sorted(BY_NAME - differing)}")


main()
