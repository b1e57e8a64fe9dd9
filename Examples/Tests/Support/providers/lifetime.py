"""Ends this process when the one that started it is done: it leaves nothing behind.

Three signs end it: standard input closes, the parent is gone, or a request to end (SIGTERM, Ctrl-C) comes. The parent
is looked at once a second and not left to PR_SET_PDEATHSIG, which fires when the *thread* that started us ends, and a
program's worker threads come and go.
"""
import os
import select
import signal
import threading


def end_with_parent(watching_input=True):
    parent = os.getppid()

    def watch():
        inputs = [0] if watching_input else []
        while os.getppid() == parent:
            ready, _, _ = select.select(inputs, [], [], 1)
            if ready and not read():
                break
        os._exit(0)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: os._exit(0))
    threading.Thread(target=watch, daemon=True).start()


def read():
    try:
        return os.read(0, 4096)
    except OSError:
        return b""
