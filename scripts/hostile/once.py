"""Counts missing, repeated and foreign sightings while the programs that carry them are killed. See README.md.

workers    captures of the partitions of a NATS stream, and the server, are killed (SIGKILL) at random; every 20th
           message has a hostile text
publisher  a capture that publishes through a spool is killed in each round, and the server now and then
texts      messages of all dialects, hostile in one text each, over MQTT through a capture that runs on
"""
import argparse
import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random, SystemRandom

from texts import broker_of_texts, mutated

NATS_SERVER, MOSQUITTO = "/usr/sbin/nats-server", "/usr/sbin/mosquitto"
PARTS = ("workers", "publisher", "texts")
PARTITIONS, REPORTS = 2, 10
BASE_NS, STEP_NS = 1_700_000_000_000_000_000, 1_000_000


def options():
    parser = argparse.ArgumentParser(prog="scripts/hostile/run once", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, help="the rssi to try (default: a release build)")
    parser.add_argument("--seed", type=int, help="seed of the moments of kills (random and printed)")
    parser.add_argument("--seconds", type=float, default=120, help="for all parts together (120)")
    parser.add_argument("--rate", type=int, default=200, metavar="N", help="messages/s of ten sightings (200)")
    parser.add_argument("--parts", default=",".join(PARTS), metavar="NAME,...", help="parts to run (all)")
    plan = parser.parse_args()
    plan.program = str(Path(plan.program).resolve())
    plan.seed = SystemRandom().randrange(1 << 31) if plan.seed is None else plan.seed
    plan.parts = plan.parts.split(",")
    if set(plan.parts) - set(PARTS):
        refuse(64, f"unknown part {', '.join(set(plan.parts) - set(PARTS))}; choose from {', '.join(PARTS)}")
    if not os.access(plan.program, os.X_OK):
        refuse(66, f"{plan.program} cannot be run: name a built rssi with --program")
    return plan


def refuse(code, message):
    print(f"hostile once: {message}", file=sys.stderr)
    sys.exit(code)


# Until the end.
RESERVED = []


def reserved_port():
    """Reserves a port: a socket that never listens keeps it, and a server can still use it."""
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    RESERVED.append(holder)
    return holder.getsockname()[1]


def is_open(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Trial:
    """The counts and findings of one part."""

    def __init__(self, name, plan, folder):
        self.name, self.plan, self.random = name, plan, Random(f"{plan.seed} {name}")
        self.folder = folder / name
        self.folder.mkdir()
        self.counts, self.findings, self.started = Counter(), [], []

    def find(self, what):
        self.findings.append(what)
        print(f"finding, {self.name}: {what}", flush=True)

    def start(self, *arguments):
        """A capture, which ends with this process; its messages go to a file."""
        log = self.folder / f"capture-{len(self.started)}.log"
        environment = os.environ | {"RSSI_REGISTRY": "none", "TMPDIR": str(self.folder), "SWIFT_BACKTRACE": "enable=no"}
        with log.open("w") as errors:
            process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--", self.plan.program, "capture", *arguments, "--no-pack"],
                                       stdout=subprocess.DEVNULL, stderr=errors, env=environment)
        process.log = log
        self.started.append(process)
        return process

    def finish(self, process, codes=(0,)):
        """Ends a capture as a user would, which must exit with one of the codes."""
        process.send_signal(signal.SIGINT)
        code = process.wait(120)
        if code not in codes:
            self.find(f"a capture ended with {code}: {process.log.read_text().strip()[-300:]}")

    def rssi(self, *arguments):
        result = subprocess.run([self.plan.program, *arguments], capture_output=True, text=True,
                                env=os.environ | {"RSSI_REGISTRY": "none"}, check=False)
        if result.returncode != 0:
            self.find(f"{' '.join(arguments)} ended with {result.returncode}: {result.stderr.strip()[-300:]}")
        return result.stdout

    def rows(self, path):
        """Returns the sightings of a trace: receiver, nanoseconds, level."""
        for line in self.rssi("export", str(path), "--format", "ndjson").splitlines():
            row = json.loads(line, parse_float=str)
            seconds, _, part = str(row["time_s"]).partition(".")
            yield row["receiver"], int(seconds) * 10**9 + int((part + "0" * 9)[:9]), float(row.get("rssi_dbm") or "nan")

    def end(self):
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()


class Server:
    """A nats-server with JetStream on a separate port."""

    def __init__(self, folder, mapping=""):
        self.port, self.config = reserved_port(), folder / "nats.conf"
        self.config.write_text(f'server_name: once\nlisten: 127.0.0.1:{self.port}\n'
                               f'jetstream {{ store_dir: "{folder / "store"}", max_file_store: 4G }}\n{mapping}\n')
        self.url = f"nats://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--", NATS_SERVER, "-c", self.config],
                                        stderr=subprocess.DEVNULL)
        while not is_open(self.port):
            time.sleep(0.02)

    def kill(self):
        self.process.kill()
        self.process.wait()

    @contextlib.asynccontextmanager
    async def stream(self, subjects):
        import nats

        async def ignore(_):
            pass

        connection = await nats.connect(self.url, max_reconnect_attempts=-1, reconnect_time_wait=0.1, error_cb=ignore)
        context = connection.jetstream(timeout=2)
        await context.add_stream(name="SITE", subjects=[subjects])
        try:
            yield context
        finally:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(connection.close(), 5)


async def patiently(what):
    """Returns the answer of a server that may be killed meanwhile."""
    while True:
        try:
            return await what()
        except Exception:
            await asyncio.sleep(0.1)


def level(number):
    return -(40 + number % 50)


def numbered(gateway, first):
    reports = [{"time_ns": BASE_NS + number * STEP_NS, "address": f"C000000000{gateway:02X}", "rssi_dbm": level(number)}
               for number in range(first, first + REPORTS)]
    return json.dumps({"dialect": "rssi", "version": 1, "receiver": f"gw-{gateway}", "reports": reports}).encode()


async def workers(trial, seconds):
    random, plan = trial.random, trial.plan
    site = trial.folder / "site"
    server = Server(trial.folder, 'mappings: { "gw.*": "part.{{partition(2,1)}}.gw.{{wildcard(1)}}" }')

    def start(partition):
        return trial.start(f"{server.url}/SITE/part.{partition}", "--flush", "200ms", "-o", f"{site}/")

    async with server.stream("part.>") as stream:
        async def publish(subject, payload, name):
            await patiently(lambda: stream.publish(subject, payload, headers={"Nats-Msg-Id": name}, timeout=2))

        running = [start(partition) for partition in range(PARTITIONS)]
        deadline, sent = time.monotonic() + seconds, 0

        async def floor(partition):
            with contextlib.suppress(Exception):
                return (await stream.consumer_info("SITE", f"rssi-part-{partition}")).ack_floor.stream_seq
            return 0

        async def kill():
            while time.monotonic() < deadline:
                partition, mode = random.randrange(PARTITIONS), random.random()
                if mode < 0.2:
                    server.kill()
                    trial.counts["servers killed"] += 1
                    await asyncio.sleep(random.random())
                    server.start()
                    continue
                if mode < 0.7:  # once it reads: the lease of one that was killed ends after some seconds
                    before, patience = await floor(partition), time.monotonic() + 15
                    while time.monotonic() < min(deadline, patience) and await floor(partition) <= before:
                        await asyncio.sleep(0.05)
                await asyncio.sleep(random.random())
                running[partition].kill()
                running[partition].wait()
                trial.counts["workers killed"] += 1
                running[partition] = start(partition)

        async def restart():
            """Restarts a program that ended by itself, as a service manager does."""
            while True:
                for partition, process in enumerate(running):
                    code = process.poll()
                    if code is None or code == -signal.SIGKILL:
                        continue
                    if code != 69:  # a server that was killed while it connected
                        trial.find(f"a worker ended with {code}: {process.log.read_text().strip()[-300:]}")
                    trial.counts["restarts"] += 1
                    running[partition] = start(partition)
                await asyncio.sleep(0.2)

        tasks = [asyncio.create_task(kill()), asyncio.create_task(restart())]
        began, messages = time.monotonic(), 0
        while time.monotonic() < deadline:
            batch = []
            while messages < (time.monotonic() - began) * plan.rate and len(batch) < 64:
                messages += 1
                if messages % 20 == 0:
                    topic, payload = mutated(random)
                    batch.append(publish(f"gw.{random.randrange(16)}", payload, f"hostile-{messages}"))
                else:
                    gateway = random.randrange(16)
                    batch.append(publish(f"gw.{gateway}", numbered(gateway, sent), f"message-{messages}"))
                    sent += REPORTS
            await asyncio.gather(*batch, asyncio.sleep(0.01))
        await tasks[0]
        last = (await patiently(lambda: stream.stream_info("SITE"))).state.last_seq
        for partition in range(PARTITIONS):
            # On a loaded machine a restart takes a while: what counts is that reading goes on.
            progress, patience = None, time.monotonic() + 120
            while time.monotonic() < patience:
                info = await patiently(lambda p=partition: stream.consumer_info("SITE", f"rssi-part-{p}"))
                if info.num_pending == 0 and info.num_ack_pending == 0:
                    break
                now = info.num_pending, info.ack_floor.stream_seq
                if now != progress:
                    progress, patience = now, time.monotonic() + 120
                await asyncio.sleep(0.2)
            else:
                trial.find(f"partition {partition} was not read on for 120 s: {info.num_pending} messages wait, "
                           f"{info.num_ack_pending} are not acknowledged: {running[partition].log.read_text().strip()[-300:]}")
        tasks[1].cancel()
        for process in running:
            # One that was started last may still wait for the lease of the one before: it never began to listen (69),
            # or does not handle signals yet.
            trial.finish(process, codes=(0, 69, -signal.SIGINT))
    server.kill()
    trial.counts["messages"], trial.counts["sightings"] = last, sent
    count_workers(trial, site, sent)


def count_workers(trial, site, sent):
    seen, foreign = Counter(), 0
    for path in sorted(site.glob("*.h5")):
        trial.counts["traces"] += 1
        skipped = [reason for reason in json.loads(trial.rssi("info", str(path), "--json") or "{}").get("rejected", {})
                   if reason.startswith("skipped:")]
        if skipped:
            trial.find(f"{path.name} skipped {', '.join(skipped)}")
        for receiver, time_ns, rssi in trial.rows(path):
            if not receiver.startswith("gw-"):
                continue  # of a hostile message
            number, rest = divmod(time_ns - BASE_NS, STEP_NS)
            if rest or not 0 <= number < sent or rssi != level(number):
                foreign += 1
            else:
                seen[number] += 1
    missing = sent - len(seen)
    twice = sum(1 for count in seen.values() if count > 1)
    for what, count in (("missing", missing), ("twice", twice), ("foreign", foreign)):
        trial.counts[what] = count
        if count:
            trial.find(f"{count} of {sent} sightings {what}")


async def publisher(trial, seconds):
    random = trial.random
    trial.rssi("simulate", "--model", "simple", "--seed", "5", "--walks", "1", "--duration", "120", "-o", str(trial.folder / "room"))
    walk = trial.folder / "room" / "walk-1.btsnoop"
    direct = trial.start(f"replay:{walk}", "--speed", "max", "-o", str(trial.folder / "direct.h5"))
    direct.wait()
    expected = [time_ns for _, time_ns, _ in trial.rows(trial.folder / "direct.h5")]
    server, rounds = Server(trial.folder), 0
    async with server.stream("rssi.>") as stream:
        async def stored():
            return (await patiently(lambda: stream.stream_info("SITE"))).state.messages

        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline or rounds == 0:
            before = await stored()
            process = trial.start(f"replay:{walk}", "--speed", "30", "--flush", "20ms", "--receiver", f"round-{rounds}",
                                  "--spool", str(trial.folder / "spool"), "-o", f"{server.url}/rssi.hall-1")
            rounds += 1
            goal = before + random.randrange(1, 60)
            while process.poll() is None and await stored() < goal:
                await asyncio.sleep(0.02)
            if random.random() < 0.3:
                server.kill()
                trial.counts["servers killed"] += 1
                await asyncio.sleep(random.random())
                server.start()
            process.kill()
            process.wait()
            trial.counts["publishers killed"] += 1
        last = trial.start(f"replay:{walk}", "--speed", "max", "--receiver", f"round-{rounds}",
                           "--spool", str(trial.folder / "spool"), "-o", f"{server.url}/rssi.hall-1")
        if last.wait(120) != 0:
            trial.find(f"the last publisher ended with {last.returncode}: {last.log.read_text()[-300:]}")
        count = await stored()
        reader = trial.start(f"{server.url}/SITE", "-o", str(trial.folder / "stream.h5"))
        patience = time.monotonic() + 120
        while time.monotonic() < patience:
            with contextlib.suppress(Exception):
                if (await stream.consumer_info("SITE", "rssi")).ack_floor.stream_seq >= count:
                    break
            await asyncio.sleep(0.1)
        trial.finish(reader)
    server.kill()
    received = {}
    for receiver, time_ns, _ in trial.rows(trial.folder / "stream.h5"):
        received.setdefault(receiver, []).append(time_ns)
    for number in range(rounds + 1):
        times = received.pop(f"round-{number}", [])
        trial.counts["sightings"] += len(times)
        if times != expected[:len(times)]:
            trial.find(f"round {number}: {len(times)} sightings are not the first ones in order, each once")
            trial.counts["twice"] += len(times) - len(set(times))
        if number == rounds and len(times) != len(expected):
            trial.counts["missing"] += len(expected) - len(times)
            trial.find(f"{len(expected) - len(times)} sightings of the last round are missing")
    if received:
        trial.counts["foreign"] = sum(map(len, received.values()))
        trial.find(f"foreign receivers: {', '.join(received)[:200]}")


async def texts(trial, seconds):
    """One in ten messages is good and numbered; the others are hostile in one text each."""
    random, port = trial.random, reserved_port()
    (trial.folder / "mosquitto.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\n")
    broker = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--", MOSQUITTO, "-c", trial.folder / "mosquitto.conf"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not is_open(port):
            time.sleep(0.02)
        path = trial.folder / "texts.h5"
        capture = trial.start(f"mqtt://127.0.0.1:{port}/%23", "--flush", "100ms", "-o", str(path))
        while not path.exists() and capture.poll() is None:
            await asyncio.sleep(0.05)
        with broker_of_texts(port) as publish:
            deadline, sent, good = time.monotonic() + seconds, 0, 0
            while time.monotonic() < deadline and capture.poll() is None:
                for _ in range(50):
                    sent += 1
                    if sent % 10 == 0:
                        publish("rssi/gw-1", numbered(1, good))
                        good += REPORTS
                    else:
                        publish(*mutated(random))
                await asyncio.sleep(0.02)
            publish("rssi/last", numbered(1, good))
            good += REPORTS
        await asyncio.sleep(1)
        if capture.poll() is not None:
            trial.find(f"the capture ended with {capture.returncode}: {capture.log.read_text().strip()[-300:]}")
            return
        trial.finish(capture)
    finally:
        broker.kill()
        broker.wait()
    seen = Counter(time_ns for receiver, time_ns, _ in trial.rows(path) if receiver == "gw-1")
    trial.counts["messages"], trial.counts["sightings"] = sent + 1, good
    expected = {BASE_NS + number * STEP_NS for number in range(good)}
    for what, count in (("missing", len(expected - set(seen))), ("twice", sum(1 for t in expected if seen[t] > 1))):
        trial.counts[what] = count
        if count:
            trial.find(f"{count} of {good} good sightings {what}")
    refused = json.loads(trial.rssi("info", str(path), "--json") or "{}").get("rejected", {})
    trial.counts["refused"] = sum(refused.values())


def table(trials):
    columns = ("messages", "sightings", "missing", "twice", "foreign", "refused", "workers killed", "publishers killed",
               "servers killed", "restarts", "traces")
    print("\n| part | " + " | ".join(columns) + " | findings |")
    print("|---|" + "---|" * (len(columns) + 1))
    for trial in trials:
        print(f"| {trial.name} | " + " | ".join(f"{trial.counts[c]:,}" for c in columns) + f" | {len(trial.findings)} |")


def main():
    plan = options()
    print(f"seed {plan.seed}, {plan.seconds:g} s", flush=True)
    needed = {"workers": NATS_SERVER, "publisher": NATS_SERVER, "texts": MOSQUITTO}
    parts = []
    for part in plan.parts:
        if os.access(needed[part], os.X_OK):
            parts.append(part)
        else:
            print(f"{part} skipped: needs {needed[part]} (scripts/bootstrap test installs it)")
    trials = []
    folder = Path(tempfile.mkdtemp(prefix="hostile-once-", dir=os.environ.get("TMPDIR", "/var/tmp")))
    shares = {"workers": 0.6, "publisher": 0.2, "texts": 0.2}
    whole = sum(shares[part] for part in parts) or 1
    try:
        for part in parts:
            trial = Trial(part, plan, folder)
            trials.append(trial)
            try:
                asyncio.run({"workers": workers, "publisher": publisher, "texts": texts}[part](
                    trial, plan.seconds * shares[part] / whole))
            finally:
                trial.end()
        table(trials)
    finally:
        if any(trial.findings for trial in trials):
            print(f"findings are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if any(trial.findings for trial in trials) else 0)


if __name__ == "__main__":
    main()
