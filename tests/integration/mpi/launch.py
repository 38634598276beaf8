"""Runs of cutune-mpi by mpirun on this host, and their processes."""
import glob
import os
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../gpu"))

from support import ROOT, SKIPPED, Watched, check  # for those who import this

SPACE = os.path.join(ROOT, "tests/integration/mpi/mpi.space")
VALID, WINNER = 16, "TIME=10000 FAULT=none FROM=1 ASIDE=0 SHARED=0"
MARK = "CUTUNE_MPI_TEST"  # in the environment of all processes of a run
LIMIT_S = 400  # a run that takes longer hangs


def mpirun():
    return shutil.which("mpirun")


def environment(**more):
    """Environment of a run: without the variables of an enclosing run of Open MPI, and without colours."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "SLURM_"))}
    return {**kept, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "NO_COLOR": "1", **more}


class Process:
    """A process of a run that existed a moment ago."""

    def __init__(self, pid, mark):
        with open("/proc/%d/environ" % pid, "rb") as file:
            pairs = dict(pair.split("=", 1) for pair in file.read().decode(errors="replace").split("\0") if "=" in pair)
        with open("/proc/%d/stat" % pid) as file:
            fields = file.read().rsplit(")", 1)[1].split()
        with open("/proc/%d/cmdline" % pid, "rb") as file:
            self.words = file.read().decode(errors="replace").split("\0")
        if pairs.get(MARK) != mark or fields[0] == "Z":
            raise ProcessLookupError
        self.pid, self.parent = pid, int(fields[1])
        self.rank = int(pairs.get("OMPI_COMM_WORLD_RANK", -1))

    def signal(self, number):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def compiles(self):
        try:
            with open("/proc/%d/maps" % self.pid) as file:
                return "nvrtc" in file.read()
        except OSError:
            return False


class Run(Watched):
    """A run of several ranks. By rank, `each` is additional environment, `programs` another program, and `hosts` the
    host, if not this one."""

    number = 0

    def __init__(self, folder, program, ranks, *arguments, each=None, programs=None, hosts=None, launcher=(), **variables):
        Run.number += 1
        self.mark = "%d.%d" % (os.getpid(), Run.number)
        command = [*launcher, mpirun(), "--oversubscribe", "--bind-to", "none"]
        for rank in range(ranks):
            alone = ["%s=%s" % pair for pair in (each or {}).get(rank, {}).items()]
            command += [":"] if rank else []
            command += ["--host", hosts[rank]] if hosts else []
            command += ["-n", "1", *(["env", *alone] if alone else []), (programs or {}).get(rank, program), *arguments]
        super().__init__(command, folder, environment(**{MARK: self.mark}, **variables))

    def processes(self):
        found = []
        for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
            try:
                found.append(Process(pid, self.mark))
            except OSError:
                pass
        return found

    def ranks(self):
        """Relays by rank, and their children by rank."""
        found = [process for process in self.processes() if process.rank >= 0]
        pids = {process.pid for process in found}
        relays = {process.rank: process for process in found if process.parent not in pids}
        owners = {process.pid for process in relays.values()}
        return relays, {process.rank: process for process in found if process.parent in owners}

    def workers(self, compilers):
        """Returns the processes that compile, or those that do not, of all ranks."""
        _, children = self.ranks()
        owners = {process.pid for process in children.values()}
        return [process for process in self.processes() if process.parent in owners and process.compiles() == compilers]

    def await_said(self, text):
        deadline = time.monotonic() + LIMIT_S
        while text not in self.said() and self.running() and time.monotonic() < deadline:
            time.sleep(0.01)
        check(text in self.said(), "nobody said '%s':\n%s" % (text, self.said()))

    def await_ranks(self, count):
        """Relays by rank, and their children by rank, once each of `count` ranks has both."""
        deadline = time.monotonic() + LIMIT_S
        relays, children = self.ranks()
        while not len(relays) == len(children) == count and self.running() and time.monotonic() < deadline:
            time.sleep(0.01)
            relays, children = self.ranks()
        check(len(relays) == len(children) == count, "%d relays, %d children:\n%s" % (len(relays), len(children), self.said()))
        return relays, children

    def end(self):
        """Waits for the end of all processes. Returns the exit status."""
        self.await_end(LIMIT_S, lambda: [process.words for process in self.processes()], self.kill)
        return self.process.returncode

    def kill(self):
        for process in self.processes():
            process.signal(signal.SIGKILL)


def journals(folder):
    return sorted(glob.glob(os.path.join(folder, "cutune.d", "*.csv")))
