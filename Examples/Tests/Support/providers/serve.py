"""Serves a provider's WSGI application on a loopback port, writes down what it was asked, and says when it is up."""
import json
import re
import socket
import sys
import threading
import time
import urllib.request
from io import BytesIO
from pathlib import Path

import waitress

import lifetime


class Instance:
    """One start of a provider: its settings, its folder, its port, and the URIs that clients may register."""

    def __init__(self):
        lifetime.end_with_parent()
        self.settings = json.loads(sys.argv[1])
        self.folder = Path(self.settings["folder"]).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.socket = bound(self.settings["port"])
        self.port = self.socket.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"

    def redirect_uris(self, ports):
        hosts = ("127.0.0.1", "[::1]", "localhost")
        return [f"http://{host}:{port}{self.settings['redirect_path']}" for port in ports for host in hosts]

    def run(self, application, issuer, facts):
        """Serves; prints the facts once the discovery document answers."""
        server = waitress.create_server(logged(application, self.folder), sockets=[self.socket], threads=self.settings["threads"])
        threading.Thread(target=server.run, daemon=True).start()
        wait_for(f"{issuer}/.well-known/openid-configuration")
        print(json.dumps({"issuer": issuer, **facts, "access_log": str(self.folder / "access.log")}), flush=True)
        threading.Event().wait()


def bound(port):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        sys.exit(f"The port {port} can't be used: {error.strerror}")
    return listener


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    for attempt in range(50):
        try:
            with opener.open(address, timeout=10) as answer:
                answer.read()
                return
        except OSError as error:
            failure = error
            time.sleep(0.1)
    sys.exit(f"The provider does not answer at {address}: {failure}")


def logged(application, folder):
    """The application, with a line in access.log for each request: method, path, status, and for a token its grant."""
    log = open(folder / "access.log", "a", buffering=1)

    def wrapped(environ, start_response):
        grant = ""
        if environ.get("CONTENT_TYPE", "").startswith("application/x-www-form-urlencoded"):
            body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            environ["wsgi.input"] = BytesIO(body)
            found = re.search(rb"(?:^|&)grant_type=([\w%:.-]+)", body)
            grant = " " + urllib.request.unquote(found[1].decode()) if found else ""

        def start(status, *rest):
            log.write(f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']} {status[:3]}{grant}\n")
            return start_response(status, *rest)

        return application(environ, start)

    return wrapped
