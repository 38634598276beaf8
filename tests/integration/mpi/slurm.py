"""A Slurm of one node, this host, for the duration of a test."""
import os
import shutil
import socket
import subprocess
import time

PROGRAMS = ("srun", "sinfo", "munged", "slurmctld", "slurmd")
START_S = 20
CONFIGURATION = """ClusterName=cutune
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
SlurmdParameters=config_overrides
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmdSpoolDir={folder}/spool
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """`missing`: the reason for its absence; else `configuration` is the value of SLURM_CONF."""

    def __init__(self, folder):
        self.folder, self.missing = folder, ""
        self.configuration = os.path.join(folder, "slurm.conf")

    def call(self, *command):
        # into a file: daemons left behind by a program keep its output open
        with open(os.path.join(self.folder, "output"), "w+") as output:
            try:
                status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=START_S,
                                        env={**os.environ, "SLURM_CONF": self.configuration}).returncode
            except subprocess.TimeoutExpired:
                status = -1
            output.seek(0)
            said = output.read()
        if status and not self.missing:
            self.missing = "%s: %s" % (command[0], said.strip() or "it hangs")
        return said

    def start(self):
        for name in ("spool", "state"):
            os.mkdir(os.path.join(self.folder, name))
        host = socket.gethostname().split(".")[0]
        with open(self.configuration, "w") as file:
            file.write(CONFIGURATION.format(host=host, folder=self.folder, ports=free_ports(2)))
        with open(os.open(os.path.join(self.folder, "key"), os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(os.urandom(1024))
        names = (("key-file", "key"), ("socket", "munge.socket"), ("pid-file", "munged.pid"), ("log-file", "munged.log"),
                 ("seed-file", "seed"))
        self.call("munged", "--force", *("--%s=%s" % (option, os.path.join(self.folder, name)) for option, name in names))
        for command in (("slurmctld", "-c"), ("slurmd",)):
            if not self.missing:
                self.call(*command)

    def await_node(self):
        deadline = time.monotonic() + START_S
        while not self.missing and "idle" not in self.call("sinfo", "--noheader", "--format=%T"):
            if time.monotonic() > deadline:
                self.missing = "its node is not idle after %d s" % START_S
            time.sleep(0.1)

    def __enter__(self):
        lacking = [name for name in PROGRAMS if not shutil.which(name)]
        if lacking:
            self.missing = "there is no " + ", ".join(lacking)
        elif os.getuid():
            self.missing = "only root can start one"
        else:
            self.start()
            self.await_node()
            if not self.missing:
                self.call("srun", "--ntasks=2", "--mpi=pmix", "true")
        return self

    def __exit__(self, *_):
        for name in ("slurmd", "slurmctld", "munged"):
            try:
                with open(os.path.join(self.folder, name + ".pid")) as file:
                    pid = int(file.read())
            except (OSError, ValueError):
                continue
            deadline = time.monotonic() + START_S
            while os.path.exists("/proc/%d" % pid):
                try:
                    os.kill(pid, 15 if time.monotonic() < deadline else 9)
                except ProcessLookupError:
                    break
                time.sleep(0.05)
