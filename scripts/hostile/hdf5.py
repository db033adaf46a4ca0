"""Traces that h5py damages in one place: each column, table, attribute and time in each way."""
import shutil
import zlib

import h5py
import numpy as np


class NotApplicable(Exception):
    """A fault that does not apply to this column."""


TEXT = "S"
BOMBS = [20, 24, 27, 30, 33, 36, 40, 48, 56, 62]
COLUMN = ["missing", "text or number", "other width", "bytes", "max", "mid", "negative", "nan", "random", "short",
          "one", "long", "empty", "2-D", "scalar", "big-endian", "compound", "array", "enumeration", "variable text",
          "variable list", "reference", "external link", "external file", "virtual", "soft-link loop",
          "dangling link", "group", "contiguous", "deflate bomb", "unknown filter"]
TABLE = ["missing", "empty", "dataset", "soft-link loop", "parent", "external link", "many", "other table"]
ATTRIBUTE = ["missing", "number", "text", "long", "empty", "array", "huge", "negative", "escapes", "variable"]
TIMES = [np.nan, np.inf, -np.inf, 1e18, -1e18, 9.3e9, -9.3e9, 1e300, 5e-324, -0.0, 2.0**53, 9223372036.854775]
STARTS = [b"", b"yesterday", b"2024-13-01T00:00:00Z", b"0000-00-00T00:00:00Z", b"9999-12-31T23:59:59Z",
          b"1677-09-21T00:00:00Z", b"2262-04-12T00:00:00Z", b"2024-01-01T00:00:00.5Z", b"2024-01-01",
          b"99999999999-01-01T00:00:00Z", b"\x1b]0;x\x07", b"\xff" * 20, b"2024-02-30T00:00:00Z"]
PAYLOADS = ["offset max", "offset past the end", "offsets equal", "length max", "length zero", "bytes short",
            "bytes empty", "rows point beyond"]


def finish_base(folder):
    """A trace whose capture was killed, and two parts of one session, from existing traces."""
    with h5py.File(folder / "live.h5", "r+") as file:
        file.attrs["clean"] = np.uint8(0)
        file.attrs["rows_committed"] = np.uint64(len(file["sightings/time_s"]))
    for number in (1, 2):
        path = folder / f"part-{number}.h5"
        shutil.copy(folder / "bare.h5", path)
        with h5py.File(path, "r+") as file:
            session = file.create_group("session")
            for name, value in (("lobby", b"lab"), ("id", b"a" * 32), ("start", file.attrs["start"])):
                session.attrs[name] = np.bytes_(value)
            session.attrs["merged"] = np.uint8(0)
            text = (f"{number}" * 32).encode()
            tables = {
                "parts": {"id": np.array([text], "S32"), "key": np.array([text], "S32"),
                          "member": np.array([f"m{number}".encode()], "S64"), "number": np.array([1], "u2"),
                          "start_s": np.array([0.0]), "machine_clock": np.array([1], "u1")},
                "offsets": {"time_s": np.array([0.0]), "offset_ns": np.array([number * 1000], "i8"),
                            "uncertainty_ns": np.array([1000], "i8"), "part": np.array([0], "u2")},
                "clock": {"time_s": np.zeros(0), "monotonic_s": np.zeros(0), "synchronised": np.zeros(0, "u1"),
                          "part": np.zeros(0, "u2")}}
            for table, columns in tables.items():
                for name, values in columns.items():
                    column = session.create_dataset(f"{table}/{name}", data=values, maxshape=(None,), chunks=(1024,))
                    column.attrs["units"] = np.bytes_(b"1")
                    column.attrs["description"] = np.bytes_(b"made by hand")


def crafts(base, random):
    """Returns all faults in a random order: kind, file, place, change."""
    every = []
    seen = set()
    for name in ("trace.h5", "map.h5", "part-1.h5", "live.h5"):
        with h5py.File(base / name) as file:
            columns, tables = [], [""]
            file.visititems(lambda path, item: (columns if isinstance(item, h5py.Dataset) else tables).append(path))
            attributes = [("", key) for key in file.attrs] + [
                (path, key) for path in tables if path for key in file[path].attrs]
            attributes += [(path, key) for path in columns[::9] for key in ("units", "description")
                           if key in file[path].attrs]
        if name == "live.h5":
            columns, tables = [path for path in columns if path.startswith("sightings")], []
        new = [path for path in columns if name == "live.h5" or path not in seen]
        every += [("column", name, path, how) for path in new for how in COLUMN]
        every += [("bomb", name, path, power) for path in new for power in random.sample(BOMBS, 2)]
        parts = [path for path in tables if path and path not in seen]
        every += [("table", name, path, how) for path in parts for how in TABLE]
        every += [("tables", name, path, power) for path in parts for power in random.sample(BOMBS, 2)]
        every += [("attribute", name, path, (key, how)) for path, key in attributes for how in ATTRIBUTE
                  if name == "trace.h5" or path.startswith(("session", "radio_map")) or not path]
        times = [path for path in new if path.endswith(("time_s", "start_s", "end_s", "monotonic_s"))]
        every += [("time", name, path, value) for path in times for value in TIMES]
        if name in ("trace.h5", "live.h5"):
            every += [("start", name, "", value) for value in STARTS]
            every += [("payloads", name, "payloads", how) for how in PAYLOADS]
        seen |= set(columns) | set(tables)
    random.shuffle(every)
    return every


def write(base, folder, some, random):
    """Writes in.h5 with these faults; returns their descriptions and the place of the first."""
    name = some[0][1]
    shutil.copy(base / name, folder / "in.h5")
    with h5py.File(folder / "in.h5", "r+") as file:
        for kind, _, path, how in some:
            if path and path not in file:
                raise NotApplicable
            try:
                CRAFTS[kind](file, path, how, random, base, folder)
            except (TypeError, ValueError, OverflowError, KeyError, RuntimeError, OSError) as problem:
                raise NotApplicable from problem
    words = " and ".join(f"{kind} /{path} {how}" for kind, _, path, how in some)
    return f"{name}: {words}", some[0][2]


def replace(file, path, **dataset):
    """Replaces a dataset, with its text attributes."""
    attributes = dict(texts(file[path]))
    del file[path]
    made = file.create_dataset(path, **dataset)
    for key, value in attributes.items():
        made.attrs[key] = value


def texts(item):
    for key in ("units", "description"):
        if key in item.attrs:
            yield key, item.attrs[key]


def column(values):
    return {"data": values, "maxshape": (None,) + values.shape[1:], "chunks": (1024,) + values.shape[1:]}


def extreme(dtype, how):
    if dtype.kind == TEXT:
        texts = {"max": b"\xff" * dtype.itemsize, "negative": b"\x1b[2J\x07\n", "nan": "\u202e\u0000x".encode()}
        return texts[how]
    if dtype.kind == "f":
        return {"max": np.finfo(dtype).max, "negative": -1e30, "nan": np.nan}[how]
    limits = np.iinfo(dtype)
    return {"max": limits.max, "negative": limits.min, "nan": limits.max - 1}[how]


def craft_column(file, path, how, random, base, folder):
    values = file[path][()]
    dtype, count = values.dtype, len(values)
    if how == "missing":
        del file[path]
    elif how == "text or number":
        replace(file, path, **column(np.zeros(count, "f8" if dtype.kind == TEXT else "S8")))
    elif how == "other width":
        wide = dtype.itemsize == 8
        others = {"S": "S4", "f": "f4" if wide else "f8"}
        replace(file, path, **column(values.astype(others.get(dtype.kind, "u1" if wide else "i8"))))
    elif how == "bytes":
        replace(file, path, **column(np.frombuffer(values.tobytes(), "u1")))
    elif how in ("max", "negative", "nan"):
        file[path][...] = np.full(values.shape, extreme(dtype, how), dtype)
    elif how == "mid":
        if not count:
            raise NotApplicable
        values[count // 2] = extreme(dtype, "max")
        file[path][...] = values
    elif how == "random":
        file[path][...] = np.frombuffer(random.randbytes(values.nbytes), dtype).reshape(values.shape)
    elif how in ("short", "one", "empty", "long"):
        if how != "long" and not count:
            raise NotApplicable
        rows = {"short": count // 2, "one": count - 1, "empty": 0, "long": count + 3000}[how]
        replace(file, path, **column(np.resize(values, rows) if count else np.zeros(rows, dtype)))
    elif how == "2-D":
        replace(file, path, **column(np.stack([values, values], axis=1)))
    elif how == "scalar":
        replace(file, path, data=np.zeros((), dtype))
    elif how == "big-endian":
        replace(file, path, **column(values.astype(dtype.newbyteorder(">"))))
    elif how == "compound":
        replace(file, path, **column(np.zeros(count, [("a", "i4"), ("b", "f8")])))
    elif how == "array":
        replace(file, path, shape=(count,), dtype=np.dtype((dtype, (3,))), maxshape=(None,), chunks=(64,))
    elif how == "enumeration":
        values = h5py.enum_dtype({"a": 0, "b": 1}, "u1")
        replace(file, path, shape=(count,), dtype=values, maxshape=(None,), chunks=(64,))
    elif how == "variable text":
        replace(file, path, data=["x" * 10] * count, dtype=h5py.string_dtype(), maxshape=(None,), chunks=(64,))
    elif how == "variable list":
        replace(file, path, shape=(count,), dtype=h5py.vlen_dtype("i4"), maxshape=(None,), chunks=(64,))
    elif how == "reference":
        replace(file, path, shape=(count,), dtype=h5py.ref_dtype, maxshape=(None,), chunks=(64,))
    elif how == "external link":
        if random.random() < 0.5:
            shutil.copy(base / "trace.h5", folder / "other.h5")
        del file[path]
        file[path] = h5py.ExternalLink("other.h5", path)
    elif how == "external file":
        (folder / "other.raw").write_bytes(values.tobytes())
        replace(file, path, shape=(count,), dtype=dtype, external=[("other.raw", 0, max(values.nbytes, 1))])
    elif how == "virtual":
        shutil.copy(base / "trace.h5", folder / "other.h5")
        layout = h5py.VirtualLayout(values.shape, dtype)
        layout[...] = h5py.VirtualSource("other.h5", path, values.shape)
        del file[path]
        file.create_virtual_dataset(path, layout)
    elif how == "soft-link loop":
        del file[path]
        file[path] = h5py.SoftLink("/" + path)
    elif how == "dangling link":
        del file[path]
        file[path] = h5py.SoftLink("/nowhere")
    elif how == "group":
        del file[path]
        file.create_group(path)
    elif how == "contiguous":
        replace(file, path, data=values)
    elif how == "deflate bomb":
        rows = (1 << 28) // dtype.itemsize
        replace(file, path, shape=(rows,), dtype=dtype, maxshape=(None,), chunks=(rows,), compression="gzip")
        file[path].id.write_direct_chunk((0,), zeros(rows * dtype.itemsize))
    elif how == "unknown filter":
        if not count:
            raise NotApplicable
        replace(file, path, shape=(count,), dtype=dtype, maxshape=(None,), chunks=(count,), compression="gzip")
        file[path].id.write_direct_chunk((0,), random.randbytes(40))


def zeros(size, made={}):
    """Returns `size` zeros deflated, without holding them in memory."""
    if size not in made:
        deflate, block = zlib.compressobj(1), bytes(1 << 20)
        pieces = [deflate.compress(block[: size - at]) for at in range(0, size, len(block))]
        made[size] = b"".join(pieces) + deflate.flush()
    return made[size]


def craft_bomb(file, path, power, random, base, folder):
    """Declares rows that are never written and take no space in the file."""
    replace(file, path, shape=(1 << power,), dtype=file[path].dtype, maxshape=(None,), chunks=(1024,))


def craft_tables(file, path, power, random, base, folder):
    paths = [f"{path}/{name}" for name, item in file[path].items() if isinstance(item, h5py.Dataset)]
    if not paths:
        raise NotApplicable
    for path in paths:
        craft_bomb(file, path, power, random, base, folder)


def craft_table(file, path, how, random, base, folder):
    if how == "many":
        group = file[path]
        for number in range(2000):
            group.create_group(f"n{number}")
        return
    others = [name for name, item in file.items() if isinstance(item, h5py.Group) and name != path.split("/")[0]]
    del file[path]
    if how == "empty":
        file.create_group(path)
    elif how == "dataset":
        file.create_dataset(path, data=np.arange(10))
    elif how == "soft-link loop":
        file[path] = h5py.SoftLink("/" + path)
    elif how == "parent":
        file[path] = h5py.SoftLink("/")
    elif how == "external link":
        shutil.copy(base / "trace.h5", folder / "other.h5")
        file[path] = h5py.ExternalLink("other.h5", "/")
    elif how == "other table":
        file[path] = file[random.choice(others)]


def craft_attribute(file, path, name_and_how, random, base, folder):
    name, how = name_and_how
    attributes = (file[path] if path else file).attrs
    if name not in attributes:
        raise NotApplicable
    values = {
        "number": 7.5, "text": np.bytes_(b"text"), "long": np.bytes_(b"x" * 60_000), "empty": h5py.Empty("S4"),
        "array": np.arange(8), "huge": np.uint64(2**64 - 1), "negative": np.int64(-1),
        "escapes": np.bytes_(b"\x1b]0;x\x07\xff\n"), "variable": "text of variable length"}
    del attributes[name]
    if how != "missing":
        attributes[name] = values[how]


def craft_time(file, path, value, random, base, folder):
    times = file[path][()]
    if not len(times):
        raise NotApplicable
    times[random.randrange(len(times)) if random.random() < 0.7 else slice(None)] = value
    file[path][...] = times


def craft_start(file, path, value, random, base, folder):
    file.attrs["start"] = np.bytes_(value)


def craft_payloads(file, path, how, random, base, folder):
    table = file[path]
    offset, length = table["offset"][()], table["length"][()]
    if how == "offset max":
        offset[-1] = 2**64 - 1
    elif how == "offset past the end":
        offset[:] = offset + np.uint64(2**32)
    elif how == "offsets equal":
        offset[:] = 0
    elif how == "length max":
        length[:] = 65535
    elif how == "length zero":
        length[:] = 0
    elif how in ("bytes short", "bytes empty"):
        table["data/bytes"].resize((len(table["data/bytes"]) // 2 if how == "bytes short" else 0,))
    elif how == "rows point beyond":
        file["sightings/payload"][...] = np.full(len(file["sightings/payload"]), len(offset) + 5, "u4")
    table["offset"][...], table["length"][...] = offset, length


CRAFTS = {"column": craft_column, "bomb": craft_bomb, "table": craft_table, "tables": craft_tables,
          "attribute": craft_attribute, "time": craft_time, "start": craft_start, "payloads": craft_payloads}
