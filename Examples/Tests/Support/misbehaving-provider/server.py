"""HTTP: reads requests, finds the endpoint, lets the fault have its say, writes answers and the log."""
import socket
import struct
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import endpoints_authorization as authorization
import endpoints_control as control
import endpoints_device as device
import endpoints_discovery as discovery
import endpoints_registration as registration
import endpoints_session as session
import endpoints_token as token
import endpoints_userinfo as userinfo
from clients import DEVICE
from exchange import Answer, OAuthError, Request, page

LONGEST_BODY = 1 << 20
# Path: the name that faults know it by, the methods it takes, what it does.
ROUTES = {
    '/.well-known/openid-configuration': ('discovery', 'GET', discovery.discovery),
    '/jwks': ('jwks', 'GET', discovery.jwks),
    '/strangers-jwks': ('strangers_jwks', 'GET', discovery.strangers_jwks),
    '/authorize': ('authorization', 'GET POST', authorization.authorize),
    '/par': ('par', 'POST', authorization.push),
    '/token': ('token', 'POST', token.token),
    '/userinfo': ('userinfo', 'GET POST', userinfo.userinfo),
    '/revoke': ('revocation', 'POST', session.revoke),
    '/end-session': ('end_session', 'GET POST', session.end_session),
    '/device-authorization': ('device', 'POST', device.device_authorization),
    '/device': ('device_page', 'GET POST', device.device_page),
    '/register': ('registration', 'POST', registration.register),
    '/_control': ('control', 'POST', control.control),
    '/_log': ('control', 'GET', control.log),
    '/_workload-token': ('control', 'GET', control.workload_token),
    '/_secrets': ('control', 'GET', control.secrets),
}
# What is secret of what a client sends.
SECRETS = {'code', 'code_verifier', 'client_secret', 'state', 'nonce', 'refresh_token', 'access_token', 'token',
           'id_token_hint', 'device_code', 'assertion', 'client_assertion'}


class Server(ThreadingHTTPServer):
    daemon_threads, block_on_close, request_queue_size = True, False, 128

    def __init__(self, provider, port=0):
        super().__init__(('127.0.0.1', port), Handler)
        self.provider, self.stopping = provider, threading.Event()
        provider.issuer = f'http://127.0.0.1:{self.server_address[1]}'

    def handle_error(self, request, client_address):
        """A client that goes away in the middle is its own affair; anything else is a fault here, and is shown."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version, server_version, sys_version = 'HTTP/1.1', 'provider', ''
    disable_nagle_algorithm, timeout = True, 60

    def log_message(self, *words):
        pass

    def date_time_string(self, timestamp=None):
        # The provider's own clock, which a fault may set wrong.
        return super().date_time_string(self.server.provider.now if timestamp is None else timestamp)

    def do_GET(self):
        self.respond()

    do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_GET

    def respond(self):
        body = self.body()
        if body is None:
            self.close_connection = True
            return self.write(page('A length of 1 MB or less is needed.', 411))
        provider = self.server.provider
        request = Request(self.command, self.path, self.headers, body)
        with provider.lock:
            name, answer = answered(provider, request)
            if name != 'control':
                note(provider, request, answer)
        while name == 'revocation' and provider.settings.hold_revocations and not self.server.stopping.wait(0.02):
            pass
        self.write(answer)

    def body(self):
        try:
            length = int(self.headers.get('Content-Length', '0'))
        except ValueError:
            return None
        if 'Transfer-Encoding' in self.headers or not 0 <= length <= LONGEST_BODY:
            return None
        return self.rfile.read(length)

    def write(self, answer):
        if answer.manner in ('drop', 'reset'):
            return self.hang_up(answer.manner == 'reset')
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.manner == 'endless':
            self.send_header('Transfer-Encoding', 'chunked')
        else:
            self.send_header('Content-Length', str(len(answer.body)))
        self.end_headers()
        if answer.manner == 'endless':
            self.write_for_ever(answer.body)
        elif answer.manner == 'slow':
            for byte in answer.body:
                self.wfile.write(bytes([byte]))
                if self.server.stopping.wait(0.5):
                    break
        elif self.command != 'HEAD':
            self.wfile.write(answer.body)

    def write_for_ever(self, beginning):
        chunk = beginning
        while not self.server.stopping.is_set():
            self.wfile.write(b'%x\r\n%s\r\n' % (len(chunk), chunk))
            chunk = b'a' * 65_536

    def hang_up(self, is_reset):
        self.close_connection = True
        if is_reset:
            # To close with nothing to linger for sends a reset.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
        else:
            self.connection.shutdown(socket.SHUT_RDWR)
        self.connection.close()


def answered(provider, request):
    name, methods, endpoint = ROUTES.get(request.path, ('unknown', '', None))
    if endpoint is None:
        return name, page('There is nothing here.', 404)
    if request.method not in methods.split():
        return name, page('Not with this method.', 405, {'Allow': methods.replace(' ', ', ')})
    if name == 'token':
        # A fault at sign-in is none at a refresh.
        grants = [value for key, value in request.form.pairs if key == 'grant_type']
        name = 'refresh' if grants == ['refresh_token'] else 'poll' if grants == [DEVICE] else name
    answer = provider.replace(f'instead_{name}', None, request=request)
    if answer is None:
        try:
            answer = endpoint(provider, request)
        except OAuthError as error:
            answer = error.answer
        except Exception:
            # A mistake of this provider's own, not a fault that was asked for.
            traceback.print_exc()
            answer = page('The provider itself has a bug; see its standard error.', 500)
    return name, provider.replace(f'after_{name}', answer, request=request)


def note(provider, request, answer):
    """One line of the log: names of everything, values of nothing that is secret."""
    for name, value in (*request.query.pairs, *request.form.pairs):
        if name in SECRETS:
            provider.record.keep(name, value)
    field = request.headers.get('Authorization', '')
    scheme, _, credentials = field.partition(' ')
    provider.record.keep('credentials', credentials)
    grants = [value for name, value in request.form.pairs if name == 'grant_type']
    provider.record.log.append({
        'server': provider.name, 'method': request.method, 'path': request.path,
        'query': request.query.names, 'form': request.form.names,
        'headers': [name.lower() for name in request.headers.keys()],
        'content_type': request.content_type or None, 'authorization_scheme': scheme or None,
        'client_id': request.client_id, 'client_auth': request.client_auth,
        'grant_type': grants[0] if grants else None, 'dpop': 'DPoP' in request.headers,
        'status': None if answer.manner in ('drop', 'reset') else answer.status,
    })
