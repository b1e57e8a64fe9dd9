"""GitLab. https://docs.gitlab.com/api/oauth2/; its authorizations_controller.rb, and Doorkeeper's uri_checker.rb."""
import time
from dataclasses import dataclass

import base
import redirects
import resources
from base import CODE, GRANTS_WITH_DEVICE, REFRESH, Client
from exchange import NO_STORE, json_answer

ISSUER = 'https://gitlab.com'


@dataclass
class Settings(base.Settings):
    access_token_life: int = 7200
    device_life: int = 300


class Player(base.Player):
    issuer = ISSUER
    hosts = ['gitlab.com']
    endpoints = {
        'authorization_endpoint': ISSUER + '/oauth/authorize',
        'token_endpoint': ISSUER + '/oauth/token',
        'revocation_endpoint': ISSUER + '/oauth/revoke',
        'introspection_endpoint': ISSUER + '/oauth/introspect',
        'userinfo_endpoint': ISSUER + '/oauth/userinfo',
        'jwks_uri': ISSUER + '/oauth/discovery/keys',
        'device_authorization_endpoint': ISSUER + '/oauth/authorize_device',
    }
    # It is there, but the metadata list the grant alone, and under a name of their own.
    unpublished = ('device_authorization_endpoint',)
    metadata = {
        'scopes_supported': ['api', 'read_api', 'read_user', 'create_runner', 'k8s_proxy', 'read_repository',
                             'write_repository', 'read_registry', 'write_registry', 'sudo', 'admin_mode', 'openid',
                             'profile', 'email'],
        'response_types_supported': ['code'],
        'response_modes_supported': ['query', 'fragment', 'form_post'],
        'grant_types_supported': ['authorization_code', 'client_credentials', 'device_code', 'refresh_token'],
        'token_endpoint_auth_methods_supported': ['client_secret_basic', 'client_secret_post'],
        'subject_types_supported': ['public'],
        'id_token_signing_alg_values_supported': ['RS256'],
        'claim_types_supported': ['normal'],
        'claims_supported': ['iss', 'sub', 'aud', 'exp', 'iat', 'sub_legacy', 'name', 'nickname', 'preferred_username',
                             'email', 'email_verified', 'website', 'profile', 'picture', 'groups'],
        'code_challenge_methods_supported': ['plain', 'S256'],
    }
    # Those of the application, not all that GitLab knows.
    scopes = ['openid', 'profile', 'email', 'read_user', 'read_api', 'api']
    # Each refusal ends on GitLab's own page, with status 200; a denied consent alone is told to the app.
    own_pages = {*base.Player.own_pages, 'bad_scope', 'missing', 'response_type', 'response_mode', 'pkce', 'bad_prompt'}
    page_status = 200
    errors = {
        'unknown_client': ('invalid_client', 'Client authentication failed due to unknown client.', 401),
        'bad_redirect': ('invalid_redirect_uri', 'The redirect URI included is not valid.', 400),
        'bad_scope': ('invalid_scope', 'The requested scope is invalid, unknown, or malformed.', 400),
        'denied': ('access_denied', 'The resource owner or authorization server denied the request.', 401),
        'no_client': ('invalid_client', 'Client authentication failed due to unknown client.', 401),
        'bad_code': ('invalid_grant', 'The provided authorization grant is invalid, expired, revoked, does not match '
                     'the redirection URI used in the authorization request, or was issued to another client.', 400),
        'pending': ('authorization_pending', 'The authorization request is still pending.', 400),
        'no_scope_for_api': ('insufficient_scope', 'The request requires higher privileges than provided by the access '
                             'token.', 403),
        'bad_token': ('invalid_token', 'Token was revoked. You have to re-authorize from the user.', 401),
    }
    errors |= dict.fromkeys(('code_redirect', 'bad_verifier', 'dead_refresh', 'bad_device_code'), errors['bad_code'])
    rotation, refresh_ends_access = 'once', True
    id_token_life = 120
    user = {**base.Player.user, 'sub': '4711', 'nickname': 'jane', 'preferred_username': 'jane'}
    claims_of_scope = {'profile': ['name', 'nickname', 'preferred_username'], 'email': ['email', 'email_verified'],
                       'openid': ['name', 'nickname', 'preferred_username']}
    api, redirect = ISSUER + '/api/v4/user', 'http://127.0.0.1/callback'
    device_page = ISSUER + '/oauth/device'
    Settings = Settings

    def make_clients(self):
        return {
            'desktop': Client('1f0c' * 16, redirect_uris=[self.redirect], grants=[CODE, REFRESH]),
            'device': Client('2e1d' * 16, redirect_uris=[self.redirect], grants=GRANTS_WITH_DEVICE),
        }

    @property
    def place(self):
        # The API wants more than the scopes of OpenID.
        return {**super().place, 'scope': 'read_user',
                'device_endpoint': self.endpoints['device_authorization_endpoint']}

    def extra_routes(self):
        return [(ISSUER + '/.well-known/openid-configuration', 'GET', resources.discovery),
                (ISSUER + '/.well-known/oauth-authorization-server', 'GET', resources.discovery),
                (self.api, 'GET', user_of_api)]

    def may_redirect(self, client, address):
        # `localhost` is no address, so its port is compared.
        return redirects.any_port(address, client.redirect_uris, ['127.0.0.1', '::1'])

    def check_refresh(self, request, family):
        address = request.form['redirect_uri']
        if address is not None and address != family.redirect_uri:
            raise self.fail('dead_refresh')

    def gives_refresh_token(self, family, refreshing):
        return True

    def complete(self, content, family, refreshing):
        content['created_at'] = int(time.time())

    def headers_of(self, reason):
        if reason in ('bad_token', 'no_scope_for_api'):
            code, description, _ = self.errors[reason]
            return {'WWW-Authenticate': f'Bearer realm="Doorkeeper", error="{code}", error_description="{description}"'}
        return super().headers_of(reason)

    def revoke(self, request, token):
        answer = super().revoke(request, token)
        return json_answer({}, answer.status, NO_STORE)


def user_of_api(player, request):
    held = resources.bearer(player, request)
    if not set(held.scope.split()) & {'read_user', 'read_api', 'api'}:
        raise player.fail('no_scope_for_api')
    user = player.user
    return json_answer({'id': int(user['sub']), 'username': user['nickname'], 'name': user['name'], 'state': 'active',
                        'email': user['email']})
