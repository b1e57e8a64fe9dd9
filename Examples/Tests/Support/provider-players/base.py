"""A strict provider. Each player is this one with its own data, and with the rules that deviate."""
import hmac
import time
from dataclasses import dataclass, field
from html import escape

import clients
import state
import tokens
from clients import DEVICE
from exchange import NO_STORE, Answer, OAuthError, json_answer, page
from refusals import refusal

CODE, REFRESH = 'authorization_code', 'refresh_token'


@dataclass
class Settings:
    """The settings that every player has. `{"set": ...}` changes them."""
    access_token_life: int = 3600
    # Polls of the device flow that are answered with `authorization_pending` before the user decides.
    approve_after_polls: int = 1
    deny_device: bool = False
    device_interval: int = 5
    device_life: int = 900
    # `allow`, or `deny`: the user refuses the consent.
    consent: str = 'allow'
    # The time for which a refresh token that was replaced is still accepted.
    reuse_grace: float = 0
    # The error code of each refresh.
    refuse_refresh: str = None
    require_dpop_nonce: bool = False


@dataclass
class Client(clients.Client):
    grants: list = field(default_factory=lambda: [CODE, REFRESH])
    # The type of client, where a provider has several.
    kind: str = ''

    @property
    def summary(self):
        return {'client_id': self.id, **({'client_secret': self.secret} if self.secret else {})}


@dataclass
class Family(tokens.Family):
    """All that came of one sign-in."""
    redirect_uri: str = None
    parameters: dict = field(default_factory=dict)
    generation: int = 0
    replaced: float = 0
    used: float = field(default_factory=time.monotonic)
    by_device: bool = False


class Player(state.Provider):
    issuer = api = redirect = device_page = ''
    hosts = []
    # Metadata's name of an endpoint: its URL. A segment `{tenant}` stands for any.
    endpoints = {}
    unpublished = ()
    metadata = {}
    scopes = ['openid', 'profile', 'email']
    scope_required, drops_unknown_scopes = True, False
    errors = {}
    own_pages = {'unknown_client', 'wrong_client_type', 'bad_redirect'}
    page_status = 400
    prompts = ['none', 'login', 'consent', 'select_account']
    # `keep`: a refresh gives no new token. `overlap`: it does, and the old one stays good. `reuse`: the old one is good
    # for the grace alone, and ends the session afterwards. `once`: the old one is dead at once.
    rotation = 'reuse'
    refresh_ends_access = False
    prefixes = {}
    # The audience that the API wants in an access token; None for any token.
    api_audience = None
    user = {'sub': '248289761001', 'name': 'Jane Doe', 'given_name': 'Jane', 'family_name': 'Doe',
            'email': 'jane@example.com', 'email_verified': True}
    claims_of_scope = {'profile': ['name', 'given_name', 'family_name'], 'email': ['email', 'email_verified']}
    Settings = Settings

    def __init__(self, name, record):
        super().__init__(name, record, self.Settings())
        self.issuer, self.host, self.families = type(self).issuer, '', []
        self.named_clients = self.make_clients()
        self.clients.known = {}
        for client in self.named_clients.values():
            self.clients.add(client)

    def make_clients(self):
        return {}

    def extra_routes(self):
        """Triples of an URL, the methods, and a function."""
        return []

    @property
    def place(self):
        """The line that tells a test where everything is."""
        named = {name: client.summary for name, client in self.named_clients.items()}
        user = {name: self.user.get(name) for name in ('sub', 'name', 'email')}
        return {'issuer': self.issuer, 'clients': named, 'user': user, 'api': self.api, 'redirect': self.redirect}

    def fail(self, reason, **words):
        return refusal(self, reason, **words)

    def headers_of(self, reason):
        """The header fields of a refusal."""
        if reason in ('bad_token', 'no_openid'):
            code = 'insufficient_scope' if reason == 'no_openid' else 'invalid_token'
            return {'WWW-Authenticate': f'Bearer realm="{self.hosts[0]}", error="{code}"'}
        return {}

    def address(self, path):
        # The host of the request that is being answered: what a DPoP proof must name.
        return f'https://{self.host}{path}'

    def secret(self, kind, size=32):
        value = self.prefixes.get(kind, '') + super().secret(kind, size)
        self.record.keep(kind, value)
        return value

    # Actions of a test

    def act(self, name, value):
        """Does what `{"set": {NAME: VALUE}}` wants. Raises KeyError for an unknown name."""
        if name == 'revoke_everything':
            # The user revoked the app at the provider.
            for family in self.families if value else []:
                self.end(family)
        elif name == 'rotate_keys':
            self.keys.rotate()
        elif hasattr(self.settings, name):
            setattr(self.settings, name, value)
        else:
            raise KeyError(name)

    def end(self, family):
        tokens.end(self, family)

    # Clients

    def authenticate(self, request):
        """The client that sends a form. Raises OAuthError."""
        scheme, credentials = request.authorization
        form_id, secret = request.form['client_id'], request.form['client_secret']
        method, name = 'client_secret_post' if secret else 'none', form_id
        if scheme is not None:
            method, (name, secret) = 'client_secret_basic', clients._basic(scheme, credentials)
            # RFC 6749, 2.3: not more than one method in a request.
            if request.form['client_secret'] or form_id not in (None, name):
                raise OAuthError('invalid_request', 'Two ways of client authentication.')
        request.client_id, request.client_auth = name, method
        client = self.clients.get(name)
        if client is None:
            raise self.fail('no_client')
        self.check_secret(client, secret or None, request)
        return client

    def check_secret(self, client, secret, request):
        if client.secret is None and secret is not None:
            raise self.fail('secret_sent')
        if client.secret is not None and secret is None:
            raise self.fail('no_secret')
        if secret is not None and not hmac.compare_digest(client.secret.encode(), secret.encode()):
            raise self.fail('bad_secret')

    def authorizing_client(self, request, parameters):
        client = self.clients.get(parameters.required('client_id'))
        if client is None:
            raise self.fail('unknown_client')
        if CODE not in client.grants:
            raise self.fail('wrong_client_type')
        return client

    def redirect_uri(self, client, parameters):
        """The address to return to. Raises OAuthError if it is not the client's."""
        address = parameters.required('redirect_uri')
        if not self.may_redirect(client, address):
            raise self.fail('bad_redirect', address=address)
        return address

    def may_redirect(self, client, address):
        return client.may_redirect(address)

    # Rules of the authorization endpoint

    def granted(self, client, words, parameters):
        """The scopes that are granted. Raises OAuthError for an unknown one, unless unknown ones are dropped."""
        unknown = [word for word in words if word not in self.scopes]
        if unknown and not self.drops_unknown_scopes:
            raise self.fail('bad_scope', scopes=' '.join(unknown))
        return [word for word in dict.fromkeys(words) if word in self.scopes]

    def authorized(self, family, request, parameters):
        """Called with each consent, before the code exists. May raise OAuthError."""

    def callback(self, family, code, parameters):
        return [('code', code), ('state', parameters['state'])]

    def refused_callback(self, error, parameters):
        pairs = [('error', error.code), ('error_description', error.description), ('state', parameters['state'])]
        return [(name, value) for name, value in pairs if value]

    def landing(self, address):
        return address

    def own_page(self, error):
        """The provider's own page for an error that the app never hears of."""
        answer = page(f'Error {error.status}: {escape(error.code)}<br>{escape(error.description or "")}',
                      self.page_status)
        answer.error = error.code
        return answer

    # Rules of the token endpoint

    def proof(self, request, client):
        """The thumbprint of the key of a DPoP proof. RFC 9449, 5."""
        return None

    def check_code(self, request, code):
        """Called with each code that is redeemed. May raise OAuthError."""

    def check_refresh(self, request, family):
        """Called with each refresh. May raise OAuthError."""

    def gives_refresh_token(self, family, refreshing):
        return 'offline_access' in family.scope.split() and not (refreshing and self.rotation == 'keep')

    def token_scope(self, family, request):
        """The scope of the tokens of this response. RFC 6749, 6: less than was granted, if the client wants that."""
        wanted = request.form['scope'] if request.form['grant_type'] == REFRESH else None
        if wanted and not set(wanted.split()) <= set(family.scope.split()):
            raise self.fail('bad_scope', scopes=wanted)
        return wanted or family.scope

    def life(self, family):
        """The life of an access token, in seconds."""
        return self.settings.access_token_life

    def token_audience(self, family, scope):
        """The API that an access token is for."""
        return None

    def access_token(self, family, scope):
        return self.secret('access_token')

    def id_claims(self, family, claims):
        """Changes the claims of an ID token in place."""

    def complete(self, content, family, refreshing):
        """Changes the content of a token response in place."""

    def complete_device(self, content):
        """Changes the content of a device authorization response in place."""

    def error_answer(self, error, request):
        """The response to a form that was refused."""
        content = {'error': error.code, 'error_description': error.description}
        content = {name: value for name, value in content.items() if value}
        return json_answer(content, error.status, {**NO_STORE, **error.headers})

    def token_answer(self, content, request):
        return json_answer(content, headers=NO_STORE)

    # Claims

    def claims_for(self, scope):
        claims = {'sub': self.user['sub']}
        for word in scope.split():
            claims.update({name: self.user[name] for name in self.claims_of_scope.get(word, []) if name in self.user})
        return claims

    def issuer_of(self, family):
        return self.issuer

    def signing_key(self, family):
        return self.keys.signing('RS256')

    # Revocation and sign-out

    def signed_out(self, claims):
        """Called with the claims of the ID token by which the user signs out."""

    def revoke(self, request, token):
        """Revokes a token of a client. RFC 7009."""
        client = self.authenticate(request)
        held, access = self.refresh_tokens.get(token), self.access_tokens.get(token)
        if held and held.family.client is client:
            self.end(held.family)
        if access and access.family.client is client:
            self.access_tokens.pop(token)
        return Answer(200, headers=dict(NO_STORE))



GRANTS_WITH_DEVICE = [CODE, REFRESH, DEVICE]
