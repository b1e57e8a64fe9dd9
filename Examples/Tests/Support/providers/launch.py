"""Starts a provider: reads the arguments, makes the provider's virtual environment once, and runs the provider in it.

The environments lie in a cache folder, one for each set of pins and each Python, and are used again afterwards. Two
runs that start at once make it once: a lock decides.
"""
import argparse
import ctypes
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import lifetime

HERE = Path(__file__).resolve().parent


def arguments(name):
    """What both providers understand; the provider gets it as one JSON object."""
    parser = argparse.ArgumentParser(
        prog=name,
        description=f"Serves {name}, an OpenID provider, on a loopback port, until standard input closes.",
    )
    parser.add_argument("folder", nargs="?", help="where this instance keeps its database, key and log")
    parser.add_argument("--port", type=int, default=0, help="the provider's own port (default: a free one)")
    parser.add_argument(
        "--redirect-port",
        type=int,
        action="append",
        default=[],
        metavar="N",
        help="a port for redirect URIs, for a provider that matches them exactly (default: a free one)",
    )
    parser.add_argument("--redirect-path", default="/callback", help="the path of every redirect URI")
    parser.add_argument("--access-life", type=int, default=300, metavar="SECONDS", help="an access token's life (300)")
    parser.add_argument("--threads", type=int, default=8, metavar="N", help="how many requests it answers at once (8)")
    parser.add_argument("--cache", metavar="FOLDER", help="where the virtual environments are kept")
    parser.add_argument("--prepare", action="store_true", help="make the virtual environment and start nothing")
    if name == "django":
        parser.add_argument(
            "--refresh-grace",
            type=int,
            default=0,
            metavar="SECONDS",
            help="how long a refresh token that was used is still answered",
        )
        parser.add_argument("--iss", action="store_true", help="send `iss` in the authorization response (RFC 9207)")
        parser.add_argument(
            "--full-discovery",
            action="store_true",
            help="name in the OpenID document the endpoints that it leaves out (revocation, registration, device)",
        )
    parsed = parser.parse_args()
    if not parsed.folder and not parsed.prepare:
        parser.error("a FOLDER is needed")
    return parsed


def cache_folder(given):
    """The argument, else $SALLYPORT_TEST_PROVIDERS, else a folder in the user's cache."""
    folder = given or os.environ.get("SALLYPORT_TEST_PROVIDERS")
    if folder:
        return Path(folder)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sallyport-test-providers"


def die_with_parent():
    """Run in a child: it is killed when this process ends, however that happens (Linux alone)."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except AttributeError:
        pass


def environment(name, cache):
    """The Python of the provider's virtual environment, made where it isn't there yet."""
    pins = HERE / f"{name}.txt"
    made_of = f"{sys.version} {sys.base_prefix}\n{pins.read_text()}"
    folder = cache / f"{name}-{hashlib.sha256(made_of.encode()).hexdigest()[:12]}"
    python, complete = folder / "bin" / "python", folder / "complete"
    if complete.exists():
        return python
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / f"{folder.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if complete.exists():
            return python
        shutil.rmtree(folder, ignore_errors=True)
        started = time.monotonic()
        print(f"Installing {name} into {folder}", file=sys.stderr)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
        for command in (
            [getattr(sys, "_base_executable", sys.executable), "-m", "venv", folder],
            pip + ["--only-binary=:all:", "--no-deps", "-r", pins],
        ):
            made = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=sys.stderr, preexec_fn=die_with_parent, check=False
            )
            if made.returncode != 0:
                sys.exit(f"{name} could not be installed: {' '.join(map(str, command))} failed.")
        complete.touch()
        print(f"Installed {name} in {time.monotonic() - started:.0f} s", file=sys.stderr)
    return python


def main(name):
    settings = arguments(name)
    lifetime.end_with_parent(watching_input=not settings.prepare)
    python = environment(name, cache_folder(settings.cache))
    if settings.prepare:
        return
    arguments_for_provider = json.dumps(vars(settings))
    os.execv(python, [str(python), "-B", "-E", str(HERE / f"{name}_provider.py"), arguments_for_provider])
