"""A proxy between the tool and the backend: it knows every token, and loses what the network loses."""
import asyncio
import json
import re
import time

from machine import Broken

KEPT = {'accessToken', 'refreshToken', 'token', 'identity_token', 'password', 'code_verifier', 'nonce', 'code'}
LOGIN, PAIR, SESSION = '/api/v1/auth/login', '/api/v1/auth/refresh', '/api/auth/refresh'
LONGEST = 1 << 20


class Tap:
    """`mode` is what the network does: `pass`, `refuse` connections, `swallow` all bytes, or `lose` each response."""

    def __init__(self):
        self.mode, self.backend_port, self.port = 'pass', 0, 0
        self.secrets, self.refreshes, self.lost = {}, 0, 0
        # The time of the first refresh that a refresh token was good for, and that of a refusal.
        self.rotated, self.refused = {}, {}
        # The last family of refresh tokens of each address: the first part of its tokens.
        self.families = {}
        self.on_refresh = asyncio.Event()
        self.changed = asyncio.Event()

    async def start(self):
        self.server = await asyncio.start_server(self._serve, '127.0.0.1', 0, limit=LONGEST)
        self.port = self.server.sockets[0].getsockname()[1]

    def set(self, mode):
        self.mode = mode
        self.changed.set()
        self.changed = asyncio.Event()

    async def _serve(self, reader, writer):
        upstream = None
        try:
            while (request := await _message(reader)) is not None:
                await self._open()
                if upstream is None:
                    upstream = await asyncio.open_connection('127.0.0.1', self.backend_port, limit=LONGEST)
                self._keep(request)
                path = request[0].split(' ')[1]
                if path in (PAIR, SESSION):
                    self.on_refresh.set()
                upstream[1].write(request[2])
                response = await _message(upstream[0], is_response=True)
                if response is None:
                    return
                self._keep(response)
                self._note(path, request, response)
                await self._open()
                if self.mode == 'lose':
                    self.lost += 1
                    return
                writer.write(response[2])
                await writer.drain()
        except (OSError, EOFError, asyncio.LimitOverrunError, ValueError):
            pass  # A connection that breaks is what this is about; the client sees it break.
        finally:
            writer.transport.abort()
            if upstream is not None:
                upstream[1].transport.abort()

    async def _open(self):
        """Waits while the network swallows; raises if it refuses."""
        while self.mode == 'swallow':
            await self.changed.wait()
        if self.mode == 'refuse':
            raise ConnectionRefusedError

    def _keep(self, message):
        found = re.search(r'\r\nauthorization: bearer (\S+)', message[1], re.I)
        self.secrets.update({found[1]: 'bearer token'} if found else {})
        for name, value in members(message):
            if name in KEPT and isinstance(value, str) and len(value) >= 16:
                self.secrets[value] = name

    def _note(self, path, request, response):
        if path == LOGIN and (token := dict(members(response)).get('refreshToken')):
            self.families[dict(members(request))['email']] = token.split('.')[0]
        if path not in (PAIR, SESSION):
            return
        status = int(response[0].split(' ')[1])
        self.refreshes += status == 200
        token = dict(members(request)).get('refreshToken')
        if path == PAIR and token:
            # After the answer: the decision may be younger than the request, never older than this.
            (self.rotated if status == 200 else self.refused).setdefault(token, time.monotonic())

    def is_late(self, email, window):
        """Whether the server has refused a token of an address that it had replaced longer than a window ago."""
        family = self.families.get(email)
        return any(token.split('.')[0] == family and moment - self.rotated.get(token, moment) >= window
                   for token, moment in self.refused.items())


def members(message):
    try:
        content = json.loads(message[3] or b'{}')
    except ValueError:
        return []
    return list(content.items()) if isinstance(content, dict) else []


async def _message(reader, is_response=False):
    """The start line, the head, all bytes and the body of a message; None at the end. RFC 9112."""
    try:
        head = await reader.readuntil(b'\r\n\r\n')
    except asyncio.IncompleteReadError:
        return None
    text = head.decode('latin-1')
    line, length = text.split('\r\n', 1)[0], re.search(r'\r\ncontent-length: *(\d+)', text, re.I)
    if re.search(r'\r\ntransfer-encoding:', text, re.I):
        raise Broken('a message without a length')
    if length is None or is_response and line.split(' ')[1] in ('204', '304'):
        return line, text, head, b''
    if int(length[1]) > LONGEST:
        raise ValueError
    body = await reader.readexactly(int(length[1]))
    return line, text, head + body, body
