"""GitHub, and GitHub Enterprise Server. https://docs.github.com/en/apps."""
import secrets
from dataclasses import dataclass
from urllib.parse import urlencode

import base
import redirects
import resources
from base import CODE, DEVICE, GRANTS_WITH_DEVICE, REFRESH, Client
from exchange import NO_STORE, Answer, json_answer

ENTERPRISE = 'github.example.com'
DOCS = 'https://docs.github.com/apps/managing-oauth-apps/troubleshooting-oauth-app-access-token-request-errors'


@dataclass
class Settings(base.Settings):
    # Of a GitHub App.
    access_token_life: int = 28_800
    # Whether the user shows neither name nor e-mail address.
    private_profile: bool = False


class Player(base.Player):
    issuer = 'https://github.com/login/oauth'
    hosts = ['github.com', 'api.github.com', ENTERPRISE]
    endpoints = {
        'authorization_endpoint': 'https://github.com/login/oauth/authorize',
        'token_endpoint': 'https://github.com/login/oauth/access_token',
        'device_authorization_endpoint': 'https://github.com/login/device/code',
    }
    unpublished = ('device_authorization_endpoint',)
    metadata = {'response_types_supported': ['code'], 'grant_types_supported': [CODE, REFRESH],
                'code_challenge_methods_supported': ['S256'],
                'service_documentation': 'https://docs.github.com/apps/creating-github-apps/registering-a-github-app'}
    scopes = ['repo', 'repo:status', 'public_repo', 'gist', 'notifications', 'user', 'read:user', 'user:email',
              'read:org', 'workflow', 'delete_repo', 'codespace']
    scope_required, drops_unknown_scopes = False, True
    own_pages = {'unknown_client', 'wrong_client_type'}
    errors = {
        'unknown_client': ('Not Found', None, 404),
        'bad_redirect': ('redirect_uri_mismatch', 'The redirect_uri MUST match the registered callback URL for this '
                         'application.', 400),
        'denied': ('access_denied', 'The user has denied your application access.', 400),
        'no_client': ('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.', 200),
        'no_secret': ('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.', 200),
        'bad_secret': ('incorrect_client_credentials', 'The client_id and/or client_secret passed are incorrect.', 200),
        'unsupported_grant': ('unsupported_grant_type', 'The grant type is not supported.', 200),
        'device_flow_disabled': ('device_flow_disabled', 'Device Flow must be explicitly enabled for this App', 400),
        'bad_code': ('bad_verification_code', 'The code passed is incorrect or expired.', 200),
        'bad_verifier': ('bad_verification_code', 'The code passed is incorrect or expired.', 200),
        'code_redirect': ('redirect_uri_mismatch', 'The redirect_uri MUST match the registered callback URL for this '
                          'application.', 200),
        'dead_refresh': ('bad_refresh_token', 'The refresh token passed is incorrect or expired.', 200),
        'pending': ('authorization_pending', 'The authorization request is still pending.', 200),
        'slow_down': ('slow_down', 'Too many requests have been made in the same timeframe.', 200),
        'device_expired': ('expired_token', 'This device_code has expired.', 200),
        'device_denied': ('access_denied', 'The authorization request was denied.', 200),
        'bad_device_code': ('incorrect_device_code', 'The device_code provided is not valid.', 200),
    }
    rotation, refresh_ends_access = 'once', True
    prefixes = {'access_token': 'gho_', 'refresh_token': 'ghr_'}
    user = {'sub': '583231', 'id': 583231, 'login': 'jane-doe', 'name': 'Jane Doe', 'email': 'jane@example.com'}
    api, redirect = 'https://api.github.com/user', 'http://127.0.0.1/callback'
    device_page = 'https://github.com/login/device'
    Settings = Settings

    def make_clients(self):
        callback = [self.redirect]
        app = Client('Iv23liA1b2C3d4E5f6G7', secret=secrets.token_hex(20), redirect_uris=callback,
                     grants=GRANTS_WITH_DEVICE, kind='GitHub App')
        return {
            'desktop': Client('Ov23liH8j9K0l1M2n3P4', secret=secrets.token_hex(20),
                              redirect_uris=callback, grants=[CODE, REFRESH], kind='OAuth App'),
            'device': Client('Ov23liQ5r6S7t8U9v0W1', secret=secrets.token_hex(20),
                             redirect_uris=callback, grants=[CODE, REFRESH, DEVICE], kind='OAuth App'),
            'app': app,
        }

    @property
    def place(self):
        place = super().place
        # The device flow needs no secret.
        place['clients'] |= {'device': {'client_id': self.named_clients['device'].id},
                             'app_device': {'client_id': self.named_clients['app'].id}}
        return {**place, 'enterprise': {'issuer': f'https://{ENTERPRISE}', 'api': f'https://{ENTERPRISE}/api/v3/user'}}

    def extra_routes(self):
        enterprise = [(url.replace('github.com', ENTERPRISE), *route) for url, *route in self._endpoints()]
        well_known = 'https://github.com/.well-known/oauth-authorization-server/login/oauth'
        return [(well_known, 'GET', resources.discovery), (self.api, 'GET', user_of_api),
                (f'https://{ENTERPRISE}/api/v3/user', 'GET', user_of_api), *enterprise]

    def _endpoints(self):
        from listener import ENDPOINTS
        import devices
        return [(url, *ENDPOINTS[name]) for name, url in self.endpoints.items()] + \
            [(self.device_page, 'GET', devices.show_page)]

    # The authorization endpoint

    def redirect_uri(self, client, parameters):
        # Without a redirect URI, the registered one is used.
        address = parameters['redirect_uri'] or client.redirect_uris[0]
        if not redirects.below(address, client.redirect_uris, ['127.0.0.1', '::1', 'localhost']):
            error = self.fail('bad_redirect')
            error.address = client.redirect_uris[0]
            raise error
        return address

    def granted(self, client, words, parameters):
        # A GitHub App has permissions, and no scopes.
        return [] if client.kind == 'GitHub App' else super().granted(client, words, parameters)

    def callback(self, family, code, parameters):
        return [('code', code), ('iss', f'https://{self.host}/login/oauth'), ('state', parameters['state'])]

    def refused_callback(self, error, parameters):
        return [*super().refused_callback(error, parameters), ('error_uri', DOCS)]

    # The token endpoint

    def authenticate(self, request):
        # The device flow names its grant; the others may leave it out.
        grants = [pair for pair in request.form.pairs if pair[0] == 'grant_type']
        if not grants and request.path.endswith('/access_token'):
            request.form.pairs.append(('grant_type', CODE))
        if request.path == '/login/device/code' and self.clients.get(request.form['client_id']) is None:
            raise self.fail('unknown_client')
        client = super().authenticate(request)
        wants_device = request.path == '/login/device/code' or request.form['grant_type'] == DEVICE
        if wants_device and DEVICE not in client.grants:
            raise self.fail('device_flow_disabled')
        return client

    def check_secret(self, client, secret, request):
        held = self.refresh_tokens.get(request.form['refresh_token'])
        by_device = request.path == '/login/device/code' or request.form['grant_type'] == DEVICE or \
            held and held.family.by_device
        if secret is not None or not by_device:
            super().check_secret(client, secret, request)

    def life(self, family):
        # The tokens of an OAuth App have no end.
        return super().life(family) if family.client.kind == 'GitHub App' else 10 ** 9

    def gives_refresh_token(self, family, refreshing):
        return family.client.kind == 'GitHub App'

    def access_token(self, family, scope):
        token = super().access_token(family, scope)
        return token.replace('gho_', 'ghu_') if family.client.kind == 'GitHub App' else token

    def complete(self, content, family, refreshing):
        content.update(token_type='bearer', scope=content['scope'].replace(' ', ','))
        if 'refresh_token' in content:
            # Six months.
            content['refresh_token_expires_in'] = 15_897_600
        else:
            del content['expires_in']

    def complete_device(self, content):
        del content['verification_uri_complete']
        content['verification_uri'] = f'https://{self.host}/login/device'

    def error_answer(self, error, request):
        if request.path.endswith('/user'):
            return json_answer({'message': 'Bad credentials', 'status': '401',
                                'documentation_url': 'https://docs.github.com/rest'}, 401)
        content = {'error': error.code, 'error_description': error.description, 'error_uri': DOCS}
        reason = getattr(error, 'reason', '')
        if reason == 'slow_down':
            content['interval'] = self.devices[request.form['device_code']].interval
        content = {name: value for name, value in content.items() if value}
        # A form that is malformed is told with 200, too.
        return self.token_answer(content, request, error.status if reason in self.errors else 200)

    def token_answer(self, content, request, status=200):
        if 'application/json' in request.headers.get('Accept', ''):
            return json_answer(content, status, NO_STORE)
        return Answer(status, urlencode(content).encode(),
                      {'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8', **NO_STORE})


def user_of_api(player, request):
    if not request.headers.get('User-Agent'):
        return Answer(403, b'Request forbidden by administrative rules. Please make sure your request has a User-Agent '
                           b'header.', {'Content-Type': 'text/html; charset=utf-8'})
    held = resources.bearer(player, request)
    # A token of the one server is unknown to the other.
    if (held.host == ENTERPRISE) != (request.host == ENTERPRISE):
        raise player.fail('bad_token')
    user, private = player.user, player.settings.private_profile
    content = {'login': user['login'], 'id': user['id'], 'type': 'User', 'name': None if private else user['name'],
               'email': None if private else user['email']}
    return json_answer(content, headers={'X-OAuth-Scopes': held.scope.replace(' ', ', ')})
