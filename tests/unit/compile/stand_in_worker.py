"""A worker of a compiler command that says what its options tell it to say.

In an answer, ID is the request's id. The file of --file is copied to the request's outputs. An action is `exit N`, `kill`,
`hang`, `close`, `print N` (as many bytes on both streams), `child FILE` (a process in a session of its own that holds a
lock on FILE), or `count FILE` (appends a line)."""
import argparse
import fcntl
import json
import os
import shutil
import signal
import socket
import sys
import time

HELLO = '{"schema": 1, "compiler": "stand-in", "version": "1.0"}'
ANSWER = '{"id": ID, "kernels": [{"entry": "k"}]}'


def act(action: str, connection: socket.socket) -> None:
    word, _, rest = action.partition(" ")
    if word == "exit":
        print("last words", file=sys.stderr, flush=True)
        os._exit(int(rest))
    elif word == "kill":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif word == "hang":
        time.sleep(1000)
    elif word == "close":
        connection.close()
        time.sleep(1000)
    elif word == "print":
        for stream in (1, 2):
            os.write(stream, b"")
            left = int(rest)
            while left > 0:
                left -= os.write(stream, b"noise\n" * min(1000, left // 6 + 1))
        os.write(2, b"the end\n")
    elif word == "child":
        if os.fork() == 0:
            os.setsid()
            lock = os.open(rest, os.O_CREAT | os.O_RDWR)
            fcntl.flock(lock, fcntl.LOCK_EX)
            os.write(lock, b"held")
            time.sleep(1000)
        while not os.path.exists(rest) or os.path.getsize(rest) == 0:
            time.sleep(0.001)
    elif word == "count":
        with open(rest, "a") as file:
            file.write("called\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hello", default=HELLO)
    parser.add_argument("--answer", default=ANSWER)
    parser.add_argument("--file", default="")
    parser.add_argument("--repeat-hello", type=int, default=0, help="repeats the hello's last letter")
    parser.add_argument("--at-start", action="append", default=[])
    parser.add_argument("--at-request", action="append", default=[])
    parser.add_argument("--expect", default="", help="a text that requests must contain")
    options = parser.parse_args()
    connection = socket.socket(fileno=int(os.environ["CUTUNE_COMPILER_FD"]))
    for action in options.at_start:
        act(action, connection)
    hello = options.hello + options.hello[-1:] * options.repeat_hello
    connection.sendall((hello + "\n").encode("latin-1"))
    for line in connection.makefile():
        request = json.loads(line)
        for action in options.at_request:
            act(action, connection)
        if options.expect not in line or os.environ["CUDA_VISIBLE_DEVICES"] != "" or sys.stdin.read() != "":
            options.answer = '{"id": ID, "error": "an unexpected request"}'
        for output in request["outputs"] if options.file else []:
            shutil.copy(options.file, output)
        connection.sendall((options.answer.replace("ID", str(request["id"])) + "\n").encode("latin-1"))


main()
