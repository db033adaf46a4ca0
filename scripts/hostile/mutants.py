"""Mutants of all other inputs: captures, tables, streams, JSON, TOML, and the bytes of traces."""
import json
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

FAMILY = {"btsnoop": "capture", "pcap": "capture", "packetlogger": "capture", "csv": "table", "rows": "table",
          "ndjson": "ndjson", "nodes": "nodes", "truth": "truth", "calibration": "calibration", "site": "site",
          "registry": "registry", "stays": "stays", "rooms": "rooms", "recipe": "recipe", "trace": "hdf5"}
SUFFIX = {"btsnoop": ".btsnoop", "pcap": ".pcap", "packetlogger": ".pklg", "csv": ".csv", "rows": ".csv",
          "ndjson": ".ndjson", "nodes": ".csv", "truth": ".csv", "calibration": ".json", "site": ".toml",
          "registry": ".json", "stays": ".csv", "rooms": ".json", "recipe": ".toml", "trace": ".h5"}
BINARY = {"btsnoop", "pcap", "packetlogger", "trace"}

SITE = """\
[[walls]]
from = [0, 0]
to = [4.5, 0]
kind = "brick"
attenuation_db = 8.5

[[walls]]
points = [[0, 0], [0, 3], [4.5, 3]]

[[anchors]]
node = "extra"
role = "beacon"
x_m = 1.0
y_m = 2.5
z_m = 2.1
measured_power_dbm = -59

[[rooms]]
name = "hall"
polygon = [[0, 0], [10, 0], [10, 8], [0, 8]]

[[spots]]
name = "desk"
x_m = 1.5
y_m = 1.5
note = "by the window"

[[regions]]
name = "entrance"
beacons = "5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1"
zones = ["immediate", "near"]
range_m = 1.5
"""

RECIPE = """\
title = "Two walks"
question = "Where is a phone?"
source = "https://example.org"
licence = "MIT"

[[files]]
name = "levels.csv"
text = '''
trace,time_s,receiver,beacon,rssi_dbm
""" + "".join(f"{'ab'[turn]},{1000 * turn + second}.5,phone,{beacon},{-50 - 7 * abs(beacon - second % 5) - second * (3 + 2 * turn) % 7}\n"
              for turn in range(2) for second in range(10) for beacon in range(4)) + """\
'''

[[files]]
name = "nodes.csv"
text = '''
node,role,x_m,y_m
0,beacon,0,0
1,beacon,2,0
2,beacon,4,3
3,beacon,6,0
'''

[[files]]
name = "truth.csv"
text = '''
trace,time_s,node,x_m,y_m
a,0,phone,0,1
a,10,phone,6,1
b,1000,phone,0,1
b,1010,phone,6,1
'''

[[traces]]
name = "walks"
inputs = ["levels.csv"]
nodes = "nodes.csv"
truth = ["truth.csv"]
columns = ["time_s=time_s:s,rssi_dbm=rssi_dbm"]

[evaluation]
cross_validate = "traces"
epoch = "2s"
truth_at = "end"
algorithms = ["weighted-centroid"]
"""

STAYS = """\
room,start_s,end_s
hall,1704067200,1704067203
yard,1704067203,1704067206
hall,1704067230,1704067233
yard,1704067233,1704067236
"""

REGISTRY = """\
{"format": "rssi-registry", "format_version": 1,
 "source": {"url": "http://a/", "etag": "\\"1\\"", "fetched": "2024-01-01T00:00:00Z", "sha256": "0"},
 "beacons": [
  {"id": "ibeacon:5E1F0A3C-7B42-4D96-A8E1-2C90D4B7F365:1:1", "name": "door", "x_m": 1, "y_m": -2.5,
   "measured_power_dbm": -59, "range_m": 2.5, "notes": {"a": "b"}},
  {"id": "addr:C0:FF:EE:00:00:01", "name": "hall"}]}
"""

NUMBERS = [b"0", b"-1", b"1e999", b"-1e999", b"nan", b"inf", b"1e18", b"-9.3e9", b"9.3e9", b"1e-320", b"65535",
           b"65536", b"4294967295", b"4294967296", b"9223372036854775807", b"-9223372036854775808",
           b"18446744073709551616", b"9" * 400, b"0." + b"0" * 400 + b"1", b"-0", b"0x10", b"1e", b"1_000", b"",
           b"900000", b"3000", b"1200", b"127", b"-128", b"20.5", b"1e300", b"1700000000.123456789", "١".encode()]
TEXTS = [b"", b"\x00", b"\x1b]0;x\x07", "\u202e".encode(), b"\xff\xfe", b"\xef\xbb\xbf", b"x" * 100_000, b"\xc0\xaf",
         b'"', b"'", b"\\", b"\\u0000", b"\\ud800", b"=cmd()", b"../../x", b"null", b"true", b"{}", b"[]", b",,,,",
         b"\r", b"\n\n", b"#"]
VALUES = [None, True, [], {}, "", "x", 0, -1, 1e308, -1e308, 10**30, 5e-324, float("nan"), float("inf"), [[]],
          [None], {"": None}, "\x1b]0;x\x07", "x" * 100_000, 1.5, "NaN", [0] * 1000]


def seeds(root, base):
    """The first inputs of each kind: those of scripts/hostile/fuzz, those of the base, and public captures, if available."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, root / "scripts/hostile/fuzz_seeds.py", root / "notebooks-data/example",
                        root / "Tests/Signals/CaptureTests/GatewaySamples.swift", folder], check=True)
        kinds = {}
        for kind in ("btsnoop", "pcap", "packetlogger", "csv", "ndjson", "nodes", "truth", "registry"):
            kinds[kind] = []
            for path in sorted(Path(folder, kind).iterdir()):
                kept = base / "seeds" / f"{kind}-{path.name}"
                kept.parent.mkdir(exist_ok=True)
                kept.write_bytes(path.read_bytes())
                kinds[kind].append(kept)
    made = {"btsnoop": "walk-1.btsnoop", "csv": "distances.csv", "rows": "rows.csv", "ndjson": "rows.ndjson",
            "nodes": "nodes.csv", "truth": "truth.csv", "calibration": "calibration.json", "site": "site.toml",
            "registry": "registry.json", "stays": "stays.csv", "rooms": "rooms.json", "recipe": "recipes/walks.toml",
            "trace": "trace.h5 live.h5 part-1.h5 bare.h5"}
    for kind, names in made.items():
        kinds.setdefault(kind, []).extend(base / name for name in names.split())
    captures = root.parent / "shared/data/captures"
    for path in sorted(captures.glob("*")) + sorted(captures.glob("*/*")):
        if path.suffix in (".btsnoop", ".pcap", ".pcapng") and path.stat().st_size < 150_000:
            kinds["btsnoop" if path.suffix == ".btsnoop" else "pcap"].append(path)
    return kinds


def head_of_btsnoop(data, records):
    at = 16
    for _ in range(records):
        at += 24 + struct.unpack_from(">I", data, at + 4)[0]
    return data[:at]


def mutant(kind, data, random, others):
    """Makes one to four changes; returns their descriptions and the bytes."""
    done = []
    structured = data.lstrip()[:1] in (b"{", b"[") and random.random() < 0.7
    # Several changes of a document hide behind the first that is refused.
    for _ in range(1 if structured else random.choice((1, 1, 2, 4))):
        if kind in BINARY:
            how = random.choice(BYTES)
        elif structured:
            how = json_value
        else:
            how = random.choice(LINES)
        done.append(how.__name__.replace("_", " "))
        # A long text in a repeated line would only fill the disk.
        data = how(data, random, others)[: 16 << 20]
    return ", ".join(done), data


def place(data, random):
    """Returns a place, in headers more often than their length suggests."""
    return random.randrange(min(len(data), 200) if random.random() < 0.4 else len(data)) if data else 0


def flipped_bit(data, random, others):
    at = place(data, random)
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :] if data else data


def changed_bytes(data, random, others):
    at, size = place(data, random), random.choice((1, 2, 4, 8))
    return data[:at] + random.choice((bytes(size), b"\xff" * size, random.randbytes(size))) + data[at + size :]


def changed_number(data, random, others):
    size = random.choice((2, 4, 8))
    at = place(data, random) & ~(size - 1) if random.random() < 0.5 else place(data, random)
    number = random.choice((0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, 2**40, 65535, len(data), -len(data)))
    return data[:at] + (number % 256**size).to_bytes(size, random.choice(("little", "big"))) + data[at + size :]


def cut_end(data, random, others):
    return data[: place(data, random)]


def cut_piece(data, random, others):
    at = place(data, random)
    return data[:at] + data[at + random.choice((1, 4, 30, 1000)) :]


def repeated_piece(data, random, others):
    at = place(data, random)
    piece = data[at : at + random.choice((1, 8, 60, 2000))]
    return data[: at + len(piece)] + piece * random.choice((1, 2, 100)) + data[at + len(piece) :]


def added_noise(data, random, others):
    at = place(data, random)
    return data[:at] + random.randbytes(random.choice((1, 4, 100))) + data[at:]


def spliced(data, random, others):
    other = random.choice(others)
    return data[: place(data, random)] + other[place(other, random) :]


def appended(data, random, others):
    return data + random.choice(others)


BYTES = [flipped_bit, changed_bytes, changed_number, cut_end, cut_piece, repeated_piece, added_noise, spliced, appended]


def other_number(data, random, others):
    found = list(re.finditer(rb"-?\d+(\.\d+)?(e-?\d+)?", data))
    if not found:
        return data
    match = random.choice(found)
    return data[: match.start()] + random.choice(NUMBERS) + data[match.end() :]


def other_text(data, random, others):
    found = list(re.finditer(rb"[A-Za-z_][A-Za-z_0-9:-]*", data))
    if not found:
        return data
    match = random.choice(found)
    return data[: match.start()] + random.choice(TEXTS) + data[match.end() :]


def added_text(data, random, others):
    at = place(data, random)
    return data[:at] + random.choice(TEXTS) + data[at:]


def lost_line(data, random, others):
    lines = data.splitlines(keepends=True)
    if lines:
        del lines[random.randrange(len(lines))]
    return b"".join(lines)


def repeated_line(data, random, others):
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    at = random.randrange(len(lines))
    return b"".join(lines[:at] + [lines[at]] * random.choice((2, 100, 5000)) + lines[at:])


def swapped_lines(data, random, others):
    lines = data.splitlines(keepends=True)
    random.shuffle(lines)
    return b"".join(lines)


def other_field(data, random, others):
    lines = data.split(b"\n")
    at = random.randrange(len(lines))
    fields = lines[at].split(b",")
    fields[random.randrange(len(fields))] = random.choice(NUMBERS + TEXTS)
    lines[at] = b",".join(fields if random.random() < 0.8 else fields[::-1])
    return b"\n".join(lines)


def nested(data, random, others):
    bracket = random.choice((b"[", b"{", b'{"a":', b'"'))
    at = place(data, random)
    return data[:at] + bracket * random.choice((1, 100, 30_000)) + data[at:]


def other_line_ends(data, random, others):
    return data.replace(b"\n", random.choice((b"\r\n", b"\r", b"", b"\n\0", b"\n\n")))


LINES = [other_number, other_number, other_text, added_text, lost_line, repeated_line, swapped_lines, other_field,
         nested, other_line_ends, flipped_bit, cut_end, cut_piece, spliced, appended]


def json_value(data, random, others):
    """Changes a value somewhere in a document, or in one line of a stream."""
    lines = data.split(b"\n")
    whole = True
    try:
        document = json.loads(data)
    except ValueError:
        whole = False
        at = random.randrange(len(lines))
        try:
            document = json.loads(lines[at])
        except ValueError:
            return other_number(data, random, others)
    # By their keys, because entries of long lists would otherwise get nearly all changes.
    places = {}

    def visit(value, keys):
        for key in list(range(len(value)) if isinstance(value, list) else value):
            path = (*keys, "" if isinstance(value, list) else key)
            places.setdefault(path, []).append((value, key))
            if isinstance(value[key], (list, dict)):
                visit(value[key], path)

    if isinstance(document, (list, dict)):
        visit(document, ())
    if not places:
        return b"[]"
    holder, key = random.choice(random.choice(list(places.values())))
    if isinstance(holder, dict) and random.random() < 0.2:
        del holder[key]
    elif isinstance(holder[key], (list, dict)) and random.random() < 0.5:
        holder[key] = type(holder[key])()
    else:
        holder[key] = random.choice(VALUES)
    text = json.dumps(document).encode()
    if whole:
        return text
    lines[at] = text
    return b"\n".join(lines)
