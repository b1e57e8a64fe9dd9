"""The clients, and how they prove who they are. RFC 6749, 2.3."""
import base64
import binascii
import hmac
import re
from dataclasses import dataclass, field
from urllib.parse import unquote_to_bytes, urlsplit

import assertions
import jose
from exchange import OAuthError

DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
GRANTS = ['authorization_code', 'refresh_token', DEVICE, 'client_credentials', EXCHANGE, JWT_BEARER]
# Those that a client can register by itself, and all.
REGISTRABLE = ['none', 'client_secret_basic', 'client_secret_post']
METHODS = [*REGISTRABLE, 'private_key_jwt']
LOOPBACK = ('127.0.0.1', '::1', 'localhost')


@dataclass
class Client:
    id: str
    method: str = 'none'
    secret: str = None
    # None: any loopback address. Given: one of these, the port of a loopback address aside.
    redirect_uris: list = None
    post_logout_redirect_uris: list = None
    grants: list = field(default_factory=lambda: list(GRANTS))
    id_token_alg: str = None
    # The algorithm of the client's own key, and the audience of what it signs: `issuer` or `token-endpoint`.
    key_alg: str = None
    audience: str = 'issuer'
    # Whether another program names it. assertions.py.
    is_workload: bool = False

    @property
    def is_confidential(self):
        return self.method != 'none'

    def may_redirect(self, address):
        return _fits(address, self.redirect_uris, SCHEMES)

    def may_return(self, address):
        """After a sign-out. OpenID RP-Initiated Logout, 3.1."""
        return _fits(address, self.post_logout_redirect_uris, SCHEMES)


# What the clients that are always there have registered beside loopback addresses.
SCHEMES = ['recipe://callback', 'com.example.app:/callback']


def is_loopback(address):
    try:
        parts = urlsplit(address)
        parts.port
    except ValueError:
        return False
    # RFC 6749, 3.1.2: no fragment. RFC 8252, 7.3: plain http, any port.
    return parts.scheme == 'http' and parts.hostname in LOOPBACK and not parts.fragment and '@' not in parts.netloc \
        and not re.search(r'[\x00-\x20\x7f-\uffff#]', address)


def without_port(address):
    parts = urlsplit(address)
    host = f'[{parts.hostname}]' if ':' in (parts.hostname or '') else parts.hostname
    return parts._replace(netloc=host or '').geturl()


def _fits(address, registered, usual):
    if not address:
        return False
    if registered is None:
        return is_loopback(address) or address in usual
    if address in registered:
        return True
    loopback = [without_port(one) for one in registered if is_loopback(one)]
    return is_loopback(address) and without_port(address) in loopback


class Clients:
    def __init__(self, provider):
        self.provider, self.record, self.known = provider, provider.record, {}
        self.add(Client('native'))
        # A secret that shows whether it was form-encoded before base64: RFC 6749, 2.3.1.
        self.add(Client('web-basic', 'client_secret_basic', 's3cret & spaces+%'))
        self.add(Client('web-post', 'client_secret_post', 'p0st & spaces+%'))
        self.add(Client('web-ec', 'private_key_jwt', key_alg='ES256'))
        self.add(Client('web-rsa', 'private_key_jwt', key_alg='PS256', audience='token-endpoint'))
        self.add(Client('web-workload', 'private_key_jwt', is_workload=True))
        # They prove nothing at the token endpoint, and ask with an assertion. RFC 7523, 2.1.
        self.add(Client('service', key_alg='ES256'))
        self.add(Client('workload', is_workload=True))

    def add(self, client):
        self.known[client.id] = client
        self.record.keep('client_secret', client.secret)

    def get(self, name):
        return self.known.get(name)

    @property
    def summary(self):
        return {'public': 'native', 'basic': ['web-basic', self.known['web-basic'].secret],
                'post': ['web-post', self.known['web-post'].secret],
                'ec': ['web-ec', self._private_key('web-ec')], 'rsa': ['web-rsa', self._private_key('web-rsa')],
                'service': ['service', self._private_key('service')]}

    def _private_key(self, name):
        pem = self.provider.keys.of_client(self.known[name]).private_pem
        # Not the first line: most of it is the same for all keys of a kind.
        self.record.keep('private_key', pem.split('\n')[2])
        return pem

    def authenticate(self, request):
        """The client that sends a request, by the one method that it registered. Raises OAuthError."""
        scheme, credentials = request.authorization
        form_id, form_secret = request.form['client_id'], request.form['client_secret']
        if request.form['client_assertion'] is not None:
            return self._by_assertion(request, scheme, form_id, form_secret)
        if scheme is not None:
            method = 'client_secret_basic'
            name, secret = _basic(scheme, credentials)
            # RFC 6749, 2.3: not more than one method in a request.
            if form_secret is not None or form_id not in (None, name):
                raise OAuthError('invalid_request', 'two ways of client authentication')
        else:
            name, secret = form_id, form_secret
            method = 'none' if secret is None else 'client_secret_post'
        request.client_id, request.client_auth = name, method
        client = self.get(name)
        if client is None or client.method != method or \
                client.secret is not None and not hmac.compare_digest(client.secret.encode(), secret.encode()):
            raise _invalid_client('no such client, or not the method that it registered')
        return client

    def _by_assertion(self, request, scheme, name, secret):
        """RFC 7521, 4.2. A client ID beside it is optional; the assertion of another program does not contain it."""
        if scheme is not None or secret is not None:
            raise OAuthError('invalid_request', 'two ways of client authentication')
        assertion = request.form['client_assertion']
        try:
            name = name or jose.read(assertion)[1].get('sub')
            request.client_id, request.client_auth = name, 'private_key_jwt'
            client = self.get(name)
            if request.form['client_assertion_type'] != assertions.TYPE or client is None or \
                    client.method != 'private_key_jwt':
                raise _invalid_client('no such client, or not the method that it registered')
            assertions.client(self.provider, client, assertion)
        except (jose.BadToken, KeyError, TypeError) as error:
            raise _invalid_client(f'the assertion: {error}') from error
        return client


def _basic(scheme, credentials):
    if scheme.lower() != 'basic':
        raise _invalid_client('another scheme than Basic')
    try:
        text = base64.b64decode(credentials, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        raise _invalid_client('no base64')
    name, colon, secret = text.partition(':')
    if not colon:
        raise _invalid_client('no colon')
    return _form_decoded(name), _form_decoded(secret)


def _form_decoded(text):
    """RFC 6749, 2.3.1 and appendix B. What was not form-encoded is refused, or it would work by chance."""
    if not re.fullmatch(r'(?:[A-Za-z0-9*\-._~+]|%[0-9A-Fa-f]{2})*', text):
        raise _invalid_client('not form-encoded: RFC 6749, 2.3.1')
    return unquote_to_bytes(text.replace('+', ' ')).decode('utf-8', 'replace')


def _invalid_client(description):
    return OAuthError('invalid_client', description, 401, {'WWW-Authenticate': 'Basic realm="provider"'})
