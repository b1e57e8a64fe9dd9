"""Amazon Cognito. https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html."""
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

import base
import issuing
import redirects
import resources
from base import Client
from exchange import NO_STORE, Answer, json_answer, page, redirect

ISSUER = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab129faBb'
DOMAIN = 'https://acme.auth.eu-west-1.amazoncognito.com'


@dataclass
class Settings(base.Settings):
    # Whether refresh token rotation is switched on. It is off by default.
    rotates: bool = False


class Player(base.Player):
    issuer = ISSUER
    hosts = ['cognito-idp.eu-west-1.amazonaws.com', 'acme.auth.eu-west-1.amazoncognito.com', 'api.example.com']
    endpoints = {
        'authorization_endpoint': DOMAIN + '/oauth2/authorize',
        'end_session_endpoint': DOMAIN + '/logout',
        'jwks_uri': ISSUER + '/.well-known/jwks.json',
        'revocation_endpoint': DOMAIN + '/oauth2/revoke',
        'token_endpoint': DOMAIN + '/oauth2/token',
        'userinfo_endpoint': DOMAIN + '/oauth2/userInfo',
    }
    metadata = {
        'id_token_signing_alg_values_supported': ['RS256'],
        'response_types_supported': ['code', 'token'],
        'scopes_supported': ['openid', 'email', 'phone', 'profile'],
        'subject_types_supported': ['public'],
        'token_endpoint_auth_methods_supported': ['client_secret_basic', 'client_secret_post'],
    }
    scopes = ['openid', 'email', 'phone', 'profile', 'aws.cognito.signin.user.admin', 'jobs/read']
    scope_required = False
    prompts = ['none', 'login', 'consent', 'select_account']
    errors = {
        'unknown_client': ('invalid_request', 'Client does not exist', 400),
        'bad_redirect': ('redirect_mismatch', None, 400),
        # The code of RFC 6749 is in the description.
        'bad_scope': ('invalid_request', 'invalid_scope', 400),
        'no_client': ('invalid_client', None, 400),
        'no_secret': ('invalid_client', None, 400),
        'bad_secret': ('invalid_client', None, 400),
        'secret_sent': ('invalid_client', None, 400),
        'unsupported_grant': ('unsupported_grant_type', None, 400),
        'grant_not_allowed': ('unauthorized_client', None, 400),
        'bad_code': ('invalid_grant', None, 400),
        'code_redirect': ('invalid_grant', None, 400),
        'bad_verifier': ('invalid_grant', None, 400),
        'dead_refresh': ('invalid_grant', None, 400),
        'access_token_revoked': ('unsupported_token_type', None, 400),
        'bad_token': ('invalid_token', 'Access token is expired, disabled, or deleted, or the user has globally signed '
                      'out.', 401),
        'no_openid': ('invalid_token', 'Access token does not contain openid scope', 401),
    }
    user = {'sub': '8a5d1c7e-4f0b-4b1e-9d62-0c3f5a7b9e21', 'name': 'Jane Doe', 'given_name': 'Jane',
            'family_name': 'Doe', 'email': 'jane@example.com', 'email_verified': True}
    api, redirect = 'https://api.example.com/jobs', 'http://localhost:8484/callback'
    Settings = Settings

    @property
    def rotation(self):
        return 'reuse' if self.settings.rotates else 'keep'

    def make_clients(self):
        return {'desktop': Client('1h57kf5cpq17m0eml12eexample', redirect_uris=[self.redirect],
                                  post_logout_redirect_uris=['http://localhost:8484/'])}

    def extra_routes(self):
        return [(ISSUER + '/.well-known/openid-configuration', 'GET', resources.discovery),
                (DOMAIN + '/logout', 'GET', logout), (DOMAIN + '/error', 'GET', error_page),
                (self.endpoints['userinfo_endpoint'], 'GET POST', userinfo), (self.api, 'GET', resources.jobs)]

    def may_redirect(self, client, address):
        # Plain http is possible with localhost alone, and no other address can be registered.
        return urlsplit(address).hostname == 'localhost' and redirects.whole(address, client.redirect_uris)

    def granted(self, client, words, parameters):
        return super().granted(client, words or self.metadata['scopes_supported'], parameters)

    def own_page(self, error):
        pairs = {'error': error.code, 'client_id': self.named_clients['desktop'].id}
        return redirect(f'{DOMAIN}/error?{urlencode(pairs)}')

    def gives_refresh_token(self, family, refreshing):
        return not refreshing or self.settings.rotates

    def headers_of(self, reason):
        """The challenge has no scheme."""
        if reason not in ('bad_token', 'no_openid'):
            return {}
        code, description, _ = self.errors[reason]
        return {'WWW-Authenticate': f'error="{code}", error_description="{description}"'}

    def access_token(self, family, scope):
        return issuing.signed_access_token(self, family, scope, None, token_use='access', client_id=family.client.id,
                                           username=self.user['sub'], version=2)

    def id_claims(self, family, claims):
        claims.update({'token_use': 'id', 'cognito:username': self.user['sub'], 'auth_time': family.auth_time})

    def complete(self, content, family, refreshing):
        del content['scope']

    def revoke(self, request, token):
        client = self.authenticate(request)
        if token in self.access_tokens:
            raise self.fail('access_token_revoked')
        held = self.refresh_tokens.get(token)
        if held and held.family.client is client:
            self.end(held.family)
        return Answer(200, headers=dict(NO_STORE))


def userinfo(player, request):
    held = resources.bearer(player, request)
    if 'openid' not in held.scope.split():
        raise player.fail('no_openid')
    claims = player.claims_for(held.scope)
    # Truth values are strings here, and none in an ID token.
    if 'email_verified' in claims:
        claims['email_verified'] = str(claims['email_verified']).lower()
    return json_answer({**claims, 'username': player.user['sub']})


def logout(player, request):
    """Cognito's own parameters: those of OpenID are unknown."""
    client = player.clients.get(request.query['client_id'])
    address = request.query['logout_uri']
    if client is None or address is None or not client.may_return(address):
        return error_page(player, request)
    request.client_id = client.id
    return redirect(address)


def error_page(player, request):
    answer = page('An error was encountered with the requested page.', 400)
    answer.error = request.query['error'] or 'invalid_request'
    return answer
