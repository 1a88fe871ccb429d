"""The end of ``prova batch --cluster`` that talks to Dask.

Tasks come as JSON lines on standard input, answers leave as JSON lines on standard output, in whatever
order they are there. Dask decides where a task runs, and runs it again where a worker was lost; what an
answer means, and that it counts once, is the store's business. Workers need Dask and the command
``prova``, not this package: what they run is sent to them.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

# A worker that is lost so often while it runs the same task is not to blame.
RETRIES = 5
# Seconds that a check may take beyond its limit.
GRACE = 20


def run_task(task):
    """Runs one check on a worker, and tells how it ended."""
    import ctypes

    def die_with_the_worker():
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG

    words = [task["command"]] + task["words"]
    folder = task["folder"] if os.path.isdir(task["folder"]) else None
    with tempfile.TemporaryDirectory(prefix="prova-") as scratch:
        # Files that are not here came along.
        for number, (path, text) in enumerate(sorted(task.get("texts", {}).items())):
            if not os.path.exists(os.path.join(folder or "", path)):
                copy = os.path.join(scratch, f"{number}-{os.path.basename(path)}")
                with open(copy, "w", encoding="utf-8", errors="surrogateescape") as out:
                    out.write(text)
                words = [copy if word == path else word for word in words]
        start = time.monotonic()
        with open(os.path.join(scratch, "out"), "w+b") as out, open(os.path.join(scratch, "err"), "w+b") as err:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=folder,
                preexec_fn=die_with_the_worker,
            )
            deadline = start + task["timeout"] + GRACE
            pause = 0.001
            while True:
                done, status, usage = os.wait4(process.pid, os.WNOHANG)
                if done:
                    break
                if time.monotonic() > deadline:
                    os.killpg(process.pid, signal.SIGKILL)
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            return {
                "status": process.returncode,
                "out": out.read().decode("utf-8", "replace"),
                "err": err.read()[-4000:].decode("utf-8", "replace"),
                "seconds": time.monotonic() - start,
                "cpu": usage.ru_utime + usage.ru_stime,
            }


def connect(address):
    """A client of the scheduler at an address, or of one that a queueing system gives workers to."""
    from distributed import Client

    queues = {"slurm": "SLURMCluster", "pbs": "PBSCluster", "sge": "SGECluster", "lsf": "LSFCluster"}
    if address in queues:
        import dask_jobqueue

        cluster = getattr(dask_jobqueue, queues[address])()
        cluster.adapt(minimum=1, maximum=int(os.environ.get("PROVA_CLUSTER_WORKERS", "64")))
        return Client(cluster)
    return Client(address, timeout="20s")


def main(address):
    """Hands tasks on and answers back until standard input ends and all answers are there."""
    client = connect(address)
    lock = threading.Lock()
    open_tasks = set()
    idle = threading.Condition()

    def say(answer):
        with lock:
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()

    def done(future, number):
        try:
            answer = future.result()
            answer["id"] = number
        except Exception as error:  # whatever it is, the check has an answer
            answer = {"id": number, "error": f"{type(error).__name__}: {error}"[:2000]}
        try:
            say(answer)
        finally:
            with idle:
                open_tasks.discard(number)
                idle.notify_all()

    ship = os.environ.get("PROVA_SHIP_FILES") == "1"
    say({"ready": True, "threads": sum(client.nthreads().values())})
    mark = f"prova-{os.getpid()}-{time.time_ns()}"
    for line in sys.stdin:
        task = json.loads(line)
        number = task["id"]
        if ship:
            task["texts"] = {}
            for path in task["files"]:
                with open(path, encoding="utf-8", errors="surrogateescape") as text:
                    task["texts"][path] = text.read()
        with idle:
            open_tasks.add(number)
        future = client.submit(run_task, task, key=f"{mark}-{number}", pure=False, retries=RETRIES)
        future.add_done_callback(lambda f, n=number: done(f, n))
    with idle:
        while open_tasks:
            idle.wait()
    client.close()


if __name__ == "__main__":
    main(sys.argv[1])
