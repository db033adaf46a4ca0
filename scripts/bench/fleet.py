"""Cost of recording a fleet of gateways; called by scripts/bench/run.

    fleet.py RSSI [SECONDS]

Simulated gateways publish to a nats-server of this script's own, on loopback, whose mapping divides them into two
partitions; two captures read one each:

  steady   1,000 gateways, 2,000 messages/s of 50 sightings for SECONDS (60); memory of the captures over time
  killed   the same at 500 messages/s; both captures are killed (SIGKILL) together, twenty times
  rate     one million messages of one sighting, as fast as one capture takes them; nats-py, which takes, acknowledges and
           parses the same messages and keeps nothing, is the peer

Each sighting has a (gateway, time) and a level of its own: what the traces of a run hold is compared with what was
published, so that a sighting that is missing, repeated or altered is found.
"""

import asyncio
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile
import time

import h5py
import nats
import numpy as np

from table import reserved_port, row

program, seconds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
GATEWAYS, BATCH, STEP_MS = 1000, 50, 10
KILLS = 20


def level(gateway, number):
    """Returns the level of a sighting by its place in the run."""
    return -(40 + (7 * gateway + number) % 50)


class Server:
    """A nats-server with JetStream, on a port of the loopback interface."""

    def __init__(self, folder):
        self.port = reserved_port()
        config = folder / "nats.conf"
        config.write_text(
            f'server_name: bench\nlisten: 127.0.0.1:{self.port}\n'
            f'jetstream {{ store_dir: "{folder / "store"}", max_file_store: 20G }}\n'
            'mappings: { "gw.*": "part.{{partition(2,1)}}.gw.{{wildcard(1)}}.status" }\n')
        self.process = subprocess.Popen(["/usr/sbin/nats-server", "-c", config], stderr=subprocess.DEVNULL)
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.05)

    @contextlib.asynccontextmanager
    async def stream(self):
        """Opens a connection and its JetStream, with a new stream SITE of both partitions."""
        connection = await nats.connect(f"nats://127.0.0.1:{self.port}", max_reconnect_attempts=-1, reconnect_time_wait=0.1)
        stream = connection.jetstream()
        await stream.add_stream(name="SITE", subjects=["part.>"])
        yield connection, stream
        await stream.delete_stream("SITE")
        await connection.close()

    def source(self, partition):
        return f"nats://127.0.0.1:{self.port}/SITE/part.{partition}"


class Gateways:
    """Gateways of the dialect `minew`; a sighting every 10 ms of each gateway's own time."""

    def __init__(self):
        self.start = int(time.time() * 1000) - 600_000
        self.sent = [0] * GATEWAYS
        self.heads = [f'[{{"type":"Gateway","mac":"AC233F{g:06X}"}}' for g in range(GATEWAYS)]
        self.tails = [f',"type":"Unknown","mac":"DD3300{b:06X}","rawData":"0201060303AAFE1516AAFE00EE{b:032X}","rssi":'
                      for b in range(100)]

    def message(self, gateway):
        first = self.sent[gateway]
        self.sent[gateway] += BATCH
        rows = [f',{{"timestamp":{self.start + (first + i) * STEP_MS}{self.tails[(first + i) % 100]}'
                f'{level(gateway, first + i)}}}' for i in range(BATCH)]
        return (self.heads[gateway] + "".join(rows) + "]").encode()

    def check(self, folder):
        """Returns the number of published sightings in the traces of a folder."""
        seen = [np.zeros(count, dtype=np.int32) for count in self.sent]
        altered = rows = 0
        for path in sorted(folder.glob("*.h5")):
            with h5py.File(path, "r", swmr=True) as file:
                names = file["receivers/id"].asstr()[:]
                start = np.datetime64(file.attrs["start"].decode().rstrip("Z"), "ns").astype(np.int64)
                receiver, times = file["sightings/receiver"][:], file["sightings/time_s"][:]
                levels = file["sightings/rssi_dbm"][:]
                # A capture that was killed left columns of unequal lengths, the time written last.
                count = min(len(receiver), len(times), len(levels))
                numbers = np.rint((start / 1e6 + times[:count] * 1e3 - self.start) / STEP_MS).astype(np.int64)
                rows += count
                for index, name in enumerate(names):
                    gateway = int(name.replace(":", "")[-6:], 16)
                    mine = receiver[:count] == index
                    np.add.at(seen[gateway], numbers[mine], 1)
                    expected = -(40 + (7 * gateway + numbers[mine]) % 50)
                    altered += int((levels[:count][mine] != expected).sum())
        counts = np.concatenate(seen)
        return rows, int((counts == 0).sum()), int((counts > 1).sum()), altered


def capture(server, partition, folder):
    return subprocess.Popen(
        [program, "capture", server.source(partition), "--dialect", "minew", "--quiet", "--no-pack", "-o", f"{folder}/"],
        stdout=subprocess.DEVNULL)


def memory(process):
    try:
        lines = open(f"/proc/{process.pid}/status").read().splitlines()
    except FileNotFoundError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), None)


def seconds_of_processor(process):
    fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def publish(connection, gateways, rate, goes_on):
    """Publishes `rate` messages per second, gateway after gateway; returns their number."""
    began, count = time.monotonic(), 0
    while goes_on(time.monotonic() - began):
        due = int((time.monotonic() - began) * rate)
        while count < due:
            gateway = count % GATEWAYS
            await connection.publish(f"gw.AC233F{gateway:06X}", gateways.message(gateway))
            count += 1
        await connection.flush()
        await asyncio.sleep(0.005)
    return count, time.monotonic() - began


async def is_read(stream, partitions, timeout):
    """Waits until every message of the stream was acknowledged."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        state = await stream.stream_info("SITE")
        infos = [await stream.consumer_info("SITE", f"rssi-part-{p}") for p in partitions]
        if all(i.num_pending == 0 and i.num_ack_pending == 0 for i in infos):
            return state.state.messages
        await asyncio.sleep(0.2)
    raise SystemExit("the captures did not read everything in time")


def end(processes):
    for process in processes:
        process.send_signal(signal.SIGINT)
    for process in processes:
        assert process.wait(120) == 0, "a capture failed"


def verdict(gateways, folder):
    rows, missing, repeated, altered = gateways.check(folder)
    assert rows == sum(gateways.sent) and missing == repeated == altered == 0, (rows, missing, repeated, altered)
    return f"{rows:,} sightings: none missing, none twice, none altered"


async def steady(connection, stream, server, folder):
    gateways, workers = Gateways(), [capture(server, p, folder) for p in (0, 1)]
    sizes = []

    def goes_on(elapsed):
        if int(elapsed) > len(sizes):
            sizes.append([memory(w) or 0 for w in workers])
        return elapsed < seconds

    count, elapsed = await publish(connection, gateways, 2000, goes_on)
    began = time.monotonic()
    assert await is_read(stream, (0, 1), 120) == count
    behind = time.monotonic() - began
    busy = [seconds_of_processor(w) for w in workers]
    end(workers)
    late = np.array(sizes[len(sizes) // 3:])
    row(f"capture of {GATEWAYS:,} gateways, processor time a second", 1e3 * sum(busy) / elapsed, "ms", memory=late.max())
    print(f"steady: {GATEWAYS:,} gateways, {count / elapsed:,.0f} messages/s of {BATCH} for {elapsed:.0f} s into two captures; "
          f"{verdict(gateways, folder)}")
    print(f"        {' and '.join(f'{100 * b / elapsed:.0f} %' for b in busy)} of a core; acknowledged {behind:.1f} s after the end; "
          f"memory {late.min():.0f} to {late.max():.0f} MB in the last two thirds, drift "
          f"{' and '.join(f'{late[-1][i] - late[0][i]:+.1f}' for i in (0, 1))} MB")


async def killed(connection, stream, server, folder):
    gateways, workers = Gateways(), [capture(server, p, folder) for p in (0, 1)]
    kills, floors = 0, {}
    done = asyncio.Event()

    async def kill():
        nonlocal workers, kills
        for _ in range(KILLS):
            # Both have read on: the lease of a capture that was killed ends after some seconds.
            for partition in (0, 1):
                while True:
                    try:
                        floor = (await stream.consumer_info("SITE", f"rssi-part-{partition}")).ack_floor.stream_seq
                    except nats.js.errors.NotFoundError:
                        floor = 0
                    if floor > floors.get(partition, 0):
                        break
                    await asyncio.sleep(0.05)
                floors[partition] = floor
            for worker in workers:
                worker.kill()
            for worker in workers:
                worker.wait()
            kills += 1
            workers = [capture(server, p, folder) for p in (0, 1)]
        done.set()

    killing = asyncio.create_task(kill())
    count, elapsed = await publish(connection, gateways, 500, lambda _: not done.is_set() and not killing.done())
    await killing
    assert await is_read(stream, (0, 1), 300) == count
    end(workers)
    print(f"killed: both captures {kills} times in {elapsed:.0f} s at {count / elapsed:,.0f} messages/s of {BATCH}; "
          f"{verdict(gateways, folder)}")


async def rate(connection, stream, server, folder):
    count, start = 1_000_000, int(time.time())
    for number in range(count):
        text = (f'{{"gw_mac":"AC:23:3F:00:00:{number % 100:02X}","rssi":{-40 - number % 50},"aoa":[],"gwts":"{start}","ts":"{start}",'
                f'"data":"0201060303AAFE1516AAFE00EE{number % 1000:032X}","coords":""}}')
        await connection.publish(
            f"part.0.ruuvi.AC:23:3F:00:00:{number % 100:02X}.F4:1F:0C:28:{number % 10:02X}:D6", text.encode())
        if number % 1000 == 0:
            await connection.flush()
    await connection.flush()
    assert (await stream.stream_info("SITE")).state.messages == count

    # The capture ends by itself: queries for the consumer's state would slow the server.
    began = time.monotonic()
    subprocess.run([program, "capture", server.source(0), "--count", str(count), "--quiet", "--no-pack", "-o", f"{folder}/"],
                   stdout=subprocess.DEVNULL, check=True)
    ours = count / (time.monotonic() - began)
    rows = sum(json.loads(subprocess.run(
        [program, "info", path, "--json"], capture_output=True, check=True).stdout)["sightings"] for path in folder.glob("*.h5"))
    assert rows == count, rows

    config = nats.js.api.ConsumerConfig(ack_policy=nats.js.api.AckPolicy.ALL, max_ack_pending=100_000)
    peer = await stream.pull_subscribe("part.0.>", durable="peer", stream="SITE", config=config)
    took, part, began = 0, 100_000, time.monotonic()
    while took < part:
        messages = await peer.fetch(256)
        for message in messages:
            json.loads(message.data)
        await messages[-1].ack()
        took += len(messages)
    theirs = took / (time.monotonic() - began)
    row("messages of one sighting from NATS into a trace", ours, "messages/s", "nats-py, without a trace", theirs)


async def main():
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        server = Server(folder)
        try:
            for run in (steady, killed, rate):
                traces = folder / run.__name__
                traces.mkdir()
                async with server.stream() as (connection, stream):
                    await run(connection, stream, server, traces)
        finally:
            server.process.kill()
            server.process.wait()


asyncio.run(main())
