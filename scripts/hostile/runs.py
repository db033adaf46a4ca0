"""Runs programs and measures each: a process separate from the trial.

A child's peak memory includes that of the process that started it, up to its exec; this one stays small.
Each line of standard input is a job, each line of standard output its result, both JSON.
"""
import json
import os
import resource
import signal
import sys
import time


def run(job):
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            os.setpgid(0, 0)
            os.chdir(job["folder"])
            for number, name in ((0, job["input"]), (1, "stdout"), (2, "stderr")):
                flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                os.dup2(os.open(name, flags, 0o600), number)
            for limit, value in ((resource.RLIMIT_AS, job["address_space"]), (resource.RLIMIT_CORE, 0),
                                 (resource.RLIMIT_FSIZE, job["file_size"]), (resource.RLIMIT_CPU, job["cpu"])):
                resource.setrlimit(limit, (value, value))
            # It ends with this process in any case.
            words = ["setpriv", "--pdeathsig", "KILL", "--", *job["command"]]
            os.execvpe(words[0], words, job["environment"])
        finally:
            os._exit(127)

    def end(*_):
        os.killpg(child, signal.SIGKILL)

    signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, job["wall"])
    _, status, usage = os.wait4(child, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        os.killpg(child, signal.SIGKILL)  # remaining processes
        left = True
    except ProcessLookupError:
        left = False
    return {"code": os.waitstatus_to_exitcode(status), "cpu_s": usage.ru_utime + usage.ru_stime,
            "rss_mb": usage.ru_maxrss / 1024, "wall_s": time.monotonic() - started, "left": left}


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
