"""A plain relying party, for `check`: asks a provider, has the person sign in, and tells what came back."""
import base64
import hashlib
import http.server
import json
import os
import secrets
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import parse_qsl, quote_plus, urlencode, urlsplit

HERE = Path(__file__).resolve().parent
SCOPE = "openid profile email offline_access"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


class Answer:
    def __init__(self, answer):
        self.status, self.headers, self.body = answer.status, answer.headers, answer.read()
        try:
            self.json = json.loads(self.body)
        except ValueError:
            self.json = {}

    def __str__(self):
        told = ("error", "error_description", "scope", "token_type", "expires_in")
        shown = {name: str(value)[:200] if name in told else "..." for name, value in self.json.items()}
        challenge = self.headers.get("WWW-Authenticate")
        kind = (self.headers.get("Content-Type") or "").split(";")[0]
        return f"{self.status} {kind} {shown or ''}" + (f" WWW-Authenticate: {challenge}" if challenge else "")


def ask(address, form=None, document=None, **headers):
    data = None
    if form is not None:
        data = urlencode(form).encode()
    if document is not None:
        data, headers["Content-Type"] = json.dumps(document).encode(), "application/json"
    request = urllib.request.Request(address, data, {k.replace("_", "-"): v for k, v in headers.items()})
    try:
        return Answer(OPENER.open(request, timeout=20))
    except urllib.error.HTTPError as error:
        return Answer(error)


def tell(what, outcome):
    print(f"{what}: {outcome}", flush=True)


class Callback(http.server.BaseHTTPRequestHandler):
    received = None

    def do_GET(self):
        if urlsplit(self.path).path in ("/callback",):
            Callback.received = dict(parse_qsl(urlsplit(self.path).query))
        self.send_response(200 if Callback.received is not None else 404)
        self.end_headers()
        self.wfile.write(b"<title>Back</title>")

    def log_message(self, *_):
        pass


class RelyingParty:
    def __init__(self, name, arguments):
        self.folder = tempfile.mkdtemp(prefix="sallyport-check.")
        self.process = subprocess.Popen(
            [HERE / name, self.folder, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.last, self.apart, self.cookies = 0, 1.1 if name == "canaille" else 0, None
        self.facts = json.loads(self.process.stdout.readline())
        self.provider = ask(f"{self.facts['issuer']}/.well-known/openid-configuration").json
        server = urlsplit(self.facts["issuer"])
        plain = f"{server.scheme}://{server.netloc}/.well-known/oauth-authorization-server{server.path}"
        self.plain = ask(plain).json
        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", self.facts.get("redirect_port", 0)), Callback)
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()
        self.redirect = f"http://127.0.0.1:{self.listener.server_port}/callback"

    def authorization(self, client="public", scope=SCOPE, **more):
        self.verifier, self.nonce = secrets.token_urlsafe(40), secrets.token_urlsafe(16)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        query = {
            "response_type": "code",
            "client_id": self.facts["clients"].get(client, {"client_id": client})["client_id"],
            "redirect_uri": self.redirect,
            "scope": scope,
            "state": "s",
            "nonce": self.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            **more,
        }
        return self.provider["authorization_endpoint"] + "?" + urlencode({k: v for k, v in query.items() if v})

    def visit(self, address, answer="accept"):
        """What came back to the redirect URI, or what the person said."""
        Callback.received = None
        user = self.facts["user"]
        surroundings = {"PERSON_LOGIN": user["login"], "PERSON_PASSWORD": user["password"], "PERSON_ANSWER": answer}
        if self.cookies:
            surroundings["PERSON_COOKIES"] = self.cookies
        command = [HERE / "person", address]
        done = subprocess.run(command, env={**os.environ, **surroundings}, capture_output=True, text=True)
        if done.returncode == 0 and Callback.received is not None:
            return Callback.received
        return {"person": done.stderr.strip() or done.stdout.splitlines()[-1]}

    def client_form(self, client, method=None):
        """How a client says who it is: what the form carries, and the headers."""
        known = self.facts["clients"][client]
        method = method or (client if client in ("basic", "post") else "none")
        if method == "basic":
            pair = ":".join(quote_plus(known[part]) for part in ("client_id", "client_secret"))
            return {}, {"Authorization": "Basic " + base64.b64encode(pair.encode()).decode()}
        names = ("client_id",) if method == "none" else ("client_id", "client_secret")
        return {name: known[name] for name in names}, {}

    def token(self, client, method=None, **form):
        """Canaille's access token holds the time in seconds and nothing random: two in one second are one."""
        time.sleep(max(0, self.last + self.apart - time.time()))
        self.last = time.time()
        who, headers = self.client_form(client, method)
        return ask(self.provider["token_endpoint"], {**form, **who}, **headers)

    def redeem(self, client, code, method=None, **more):
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": self.redirect}
        return self.token(client, method, **{**form, "code_verifier": self.verifier, **more})

    def signed_in(self, client="public", **more):
        back = self.visit(self.authorization(client, **more))
        return self.redeem(client, back["code"]).json if "code" in back else back

    def refresh(self, token, client="public"):
        return self.token(client, grant_type="refresh_token", refresh_token=token)

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        shutil.rmtree(self.folder)

    def userinfo(self, token):
        return ask(self.provider["userinfo_endpoint"], Authorization=f"Bearer {token}")


def claims(token):
    header, body, _ = (part + "=" * (-len(part) % 4) for part in token.split("."))
    return (json.loads(base64.urlsafe_b64decode(part)) for part in (header, body))


def signature_holds(token, keys):
    """RS256 with the standard library alone: PKCS #1 v1.5 padding around the hash."""
    header, _ = claims(token)
    number = lambda text: int.from_bytes(base64.urlsafe_b64decode(text + "=="), "big")  # noqa: E731
    key = next(key for key in keys if key["kid"] == header["kid"])
    signed, signature = token.rsplit(".", 1)
    size = (number(key["n"]).bit_length() + 7) // 8
    block = pow(number(signature), number(key["e"]), number(key["n"])).to_bytes(size, "big")
    known = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(signed.encode()).digest()
    return header["alg"] == "RS256" and block == b"\0\1" + b"\xff" * (size - len(known) - 3) + b"\0" + known
