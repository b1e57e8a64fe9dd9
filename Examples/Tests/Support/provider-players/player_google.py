"""Google. https://developers.google.com/identity/protocols/oauth2/native-app and .../limited-input-device."""
import secrets
from dataclasses import dataclass

import base
import resources
from base import CODE, DEVICE, REFRESH, Client
from clients import is_loopback
from exchange import NO_STORE, Answer, json_answer

LONG = {'email': 'https://www.googleapis.com/auth/userinfo.email',
        'profile': 'https://www.googleapis.com/auth/userinfo.profile'}


@dataclass
class Settings(base.Settings):
    # Google documents both forms of its name in an ID token.
    issuer_without_scheme: bool = False
    # Whether the user has consented before, on another machine.
    consented_before: bool = False
    # Whether the quota of device codes is used up.
    device_quota: bool = False


class Player(base.Player):
    issuer = 'https://accounts.google.com'
    hosts = ['accounts.google.com', 'oauth2.googleapis.com', 'openidconnect.googleapis.com', 'www.googleapis.com',
             'www.google.com']
    endpoints = {
        'authorization_endpoint': 'https://accounts.google.com/o/oauth2/v2/auth',
        'device_authorization_endpoint': 'https://oauth2.googleapis.com/device/code',
        'token_endpoint': 'https://oauth2.googleapis.com/token',
        'userinfo_endpoint': 'https://openidconnect.googleapis.com/v1/userinfo',
        'revocation_endpoint': 'https://oauth2.googleapis.com/revoke',
        'jwks_uri': 'https://www.googleapis.com/oauth2/v3/certs',
    }
    metadata = {
        'response_types_supported': ['code', 'token', 'id_token', 'code token', 'code id_token', 'token id_token',
                                     'code token id_token', 'none'],
        'response_modes_supported': ['query', 'fragment', 'form_post'],
        'subject_types_supported': ['public'],
        'id_token_signing_alg_values_supported': ['RS256'],
        'scopes_supported': ['openid', 'email', 'profile'],
        'token_endpoint_auth_methods_supported': ['client_secret_post', 'client_secret_basic'],
        'claims_supported': ['aud', 'email', 'email_verified', 'exp', 'family_name', 'given_name', 'iat', 'iss', 'name',
                             'picture', 'sub'],
        'code_challenge_methods_supported': ['plain', 'S256'],
        'grant_types_supported': [CODE, REFRESH, DEVICE, 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
        'authorization_response_iss_parameter_supported': True,
    }
    scopes = ['openid', 'email', 'profile', *LONG.values(), 'https://www.googleapis.com/auth/drive.file',
              'https://www.googleapis.com/auth/calendar.readonly']
    own_pages = {*base.Player.own_pages, 'bad_scope', 'bad_prompt'}
    prompts = ['none', 'consent', 'select_account']
    errors = {
        'unknown_client': ('invalid_client', 'The OAuth client was not found.', 401),
        'wrong_client_type': ('invalid_request', 'The app does not comply with the OAuth 2.0 policy.', 400),
        'bad_redirect': ('redirect_uri_mismatch', 'The redirect_uri in the request, {address}, does not match.', 400),
        'bad_scope': ('invalid_scope', 'Some requested scopes were invalid. invalid=[{scopes}]', 400),
        'bad_prompt': ('invalid_request', 'Invalid parameter value for prompt', 400),
        'denied': ('access_denied', None, 400),
        'no_client': ('invalid_client', 'The OAuth client was not found.', 401),
        'no_secret': ('invalid_request', 'client_secret is missing.', 400),
        'bad_secret': ('invalid_client', 'Unauthorized', 401),
        'bad_code': ('invalid_grant', 'Malformed auth code.', 400),
        'code_redirect': ('redirect_uri_mismatch', 'Bad Request', 400),
        'bad_verifier': ('invalid_grant', 'Invalid code verifier.', 400),
        'dead_refresh': ('invalid_grant', 'Token has been expired or revoked.', 400),
        'grant_not_allowed': ('invalid_client', 'Invalid client type.', 401),
        'pending': ('authorization_pending', 'Precondition Required', 428),
        'slow_down': ('slow_down', 'Forbidden', 403),
        'device_denied': ('access_denied', 'Forbidden', 403),
        'bad_device_code': ('invalid_grant', 'Malformed device code.', 400),
        'quota': ('rate_limit_exceeded', None, 403),
        'dead_token': ('invalid_token', 'Token expired or revoked', 400),
    }
    rotation = 'keep'
    prefixes = {'code': '4/0A', 'access_token': 'ya29.', 'refresh_token': '1//', 'device_code': 'AH-1Ng'}
    user = {'sub': '110248495921238986420', 'name': 'Jane Doe', 'given_name': 'Jane', 'family_name': 'Doe',
            'picture': 'https://lh3.googleusercontent.com/a/jane', 'email': 'jane.doe@gmail.com',
            'email_verified': True}
    claims_of_scope = {LONG['profile']: ['name', 'given_name', 'family_name', 'picture'],
                       LONG['email']: ['email', 'email_verified']}
    api, redirect = 'https://www.googleapis.com/oauth2/v2/userinfo', 'http://127.0.0.1'
    device_page = 'https://www.google.com/device'
    Settings = Settings

    def __init__(self, name, record):
        super().__init__(name, record)
        # The clients to which the user has consented.
        self.consents = set()

    def make_clients(self):
        number = '912345678901-'
        return {
            'desktop': Client(number + 'a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6.apps.googleusercontent.com',
                              secret='GOCSPX-' + secrets.token_urlsafe(21), kind='Desktop app'),
            'device': Client(number + 'q7r8s9t0u1v2w3x4y5z6a7b8c9d0e1f2.apps.googleusercontent.com',
                             secret='GOCSPX-' + secrets.token_urlsafe(21), grants=[DEVICE, REFRESH],
                             kind='TVs and Limited Input devices'),
        }

    def extra_routes(self):
        return [(self.issuer + '/.well-known/openid-configuration', 'GET', resources.discovery),
                (self.api, 'GET', user_of_api), ('https://www.googleapis.com/oauth2/v3/userinfo', 'GET',
                                                 resources.userinfo)]

    def act(self, name, value):
        super().act(name, value)
        if name == 'revoke_everything':
            self.consents.clear()

    def may_redirect(self, client, address):
        return is_loopback(address)

    def check_secret(self, client, secret, request):
        # The device authorization endpoint takes the client ID alone.
        if request.path == '/device/code' and secret is None:
            return
        super().check_secret(client, secret, request)

    def granted(self, client, words, parameters):
        return [LONG.get(word, word) for word in super().granted(client, words, parameters)]

    def authorized(self, family, request, parameters):
        before = family.client.id in self.consents or self.settings.consented_before
        family.asked = not before or 'consent' in (parameters['prompt'] or '').split()
        self.consents.add(family.client.id)

    def callback(self, family, code, parameters):
        return [('state', parameters['state']), ('iss', self.issuer), ('code', code), ('scope', family.scope),
                ('authuser', '0'), ('prompt', 'consent' if family.asked else 'none')]

    def refused_callback(self, error, parameters):
        return [*super().refused_callback(error, parameters), ('iss', self.issuer)]

    def gives_refresh_token(self, family, refreshing):
        if family.by_device:
            return not refreshing
        return not refreshing and family.asked and family.parameters.get('access_type') == 'offline'

    def id_claims(self, family, claims):
        claims['azp'] = family.client.id
        if self.settings.issuer_without_scheme:
            claims['iss'] = 'accounts.google.com'

    def complete_device(self, content):
        content['verification_url'] = content.pop('verification_uri')
        del content['verification_uri_complete']

    def error_answer(self, error, request):
        if getattr(error, 'reason', '') in ('bad_token', 'no_openid') and 'userinfo' in request.path:
            content = {'error': {'code': error.status, 'status': 'UNAUTHENTICATED',
                                 'message': 'Request had invalid authentication credentials.'}}
            return json_answer(content, error.status, error.headers)
        if getattr(error, 'reason', '') == 'quota':
            return json_answer({'error_code': error.code}, error.status)
        return super().error_answer(error, request)

    def authenticate(self, request):
        client = super().authenticate(request)
        if request.path == '/device/code' and self.settings.device_quota:
            raise self.fail('quota')
        return client

    def revoke(self, request, token):
        """Either token ends the whole grant. No client authentication."""
        held, access = self.refresh_tokens.get(token), self.access_tokens.get(token)
        family = held.family if held else access and access.family
        if family is None or family.ended:
            raise self.fail('dead_token')
        self.end(family)
        self.consents.discard(family.client.id)
        return Answer(200, b'{}', {'Content-Type': 'application/json', **NO_STORE})


def user_of_api(player, request):
    resources.bearer(player, request)
    user = player.user
    return json_answer({'id': user['sub'], 'email': user['email'], 'verified_email': True, 'name': user['name'],
                        'given_name': user['given_name'], 'family_name': user['family_name']})
