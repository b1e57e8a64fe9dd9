"""Keycloak. https://www.keycloak.org/securing-apps/oidc-layers; TokenManager.java and RedirectUtils.java."""
import time
import uuid
from dataclasses import dataclass

import base
import issuing
import redirects
import resources
from base import CODE, DEVICE, REFRESH, Client
from exchange import page

ISSUER = 'https://sso.example.com/realms/acme'
AT = ISSUER + '/protocol/openid-connect'


@dataclass
class Settings(base.Settings):
    access_token_life: int = 300
    device_life: int = 600
    # The time after which a session that is not used ends. Offline sessions stay.
    session_idle: float = 1800
    # Whether the user has the realm's role `offline_access`.
    offline_role: bool = True
    # Whether the realm revokes refresh tokens that were used.
    revoke_refresh_token: bool = False


class Player(base.Player):
    issuer = ISSUER
    hosts = ['sso.example.com', 'api.example.com']
    endpoints = {
        'authorization_endpoint': AT + '/auth',
        'token_endpoint': AT + '/token',
        'introspection_endpoint': AT + '/token/introspect',
        'userinfo_endpoint': AT + '/userinfo',
        'end_session_endpoint': AT + '/logout',
        'jwks_uri': AT + '/certs',
        'revocation_endpoint': AT + '/revoke',
        'device_authorization_endpoint': AT + '/auth/device',
    }
    metadata = {
        'grant_types_supported': [CODE, 'client_credentials', 'implicit', 'password', REFRESH, DEVICE,
                                  'urn:ietf:params:oauth:grant-type:token-exchange'],
        'response_types_supported': ['code', 'none', 'id_token', 'token', 'id_token token', 'code id_token',
                                     'code token', 'code id_token token'],
        'response_modes_supported': ['query', 'fragment', 'form_post', 'query.jwt', 'fragment.jwt', 'form_post.jwt',
                                     'jwt'],
        'subject_types_supported': ['public', 'pairwise'],
        'id_token_signing_alg_values_supported': ['PS384', 'RS384', 'EdDSA', 'ES384', 'HS256', 'HS512', 'ES256',
                                                  'RS256', 'HS384', 'ES512', 'PS256', 'PS512', 'RS512'],
        'token_endpoint_auth_methods_supported': ['private_key_jwt', 'client_secret_basic', 'client_secret_post',
                                                  'tls_client_auth', 'client_secret_jwt'],
        'scopes_supported': ['openid', 'microprofile-jwt', 'phone', 'roles', 'profile', 'email', 'address',
                             'web-origins', 'acr', 'offline_access', 'basic'],
        'code_challenge_methods_supported': ['plain', 'S256'],
        'authorization_response_iss_parameter_supported': True,
    }
    scopes = metadata['scopes_supported']
    errors = {
        'unknown_client': ('client_not_found', 'Client not found.', 400),
        'bad_redirect': ('invalid_redirect_uri', 'Invalid parameter: redirect_uri', 400),
        'bad_scope': ('invalid_scope', 'Invalid scopes: {scopes}', 400),
        'denied': ('access_denied', None, 400),
        'no_client': ('invalid_client', 'Invalid client or Invalid client credentials', 401),
        'bad_code': ('invalid_grant', 'Code not valid', 400),
        'code_redirect': ('invalid_grant', 'Incorrect redirect_uri', 400),
        'bad_verifier': ('invalid_grant', 'PKCE verification failed: Code mismatch', 400),
        'dead_refresh': ('invalid_grant', 'Session not active', 400),
        'no_offline_role': ('not_allowed', 'Offline tokens not allowed for the user or client', 400),
        'grant_not_allowed': ('unauthorized_client', 'The flow is disabled for the client.', 400),
        'pending': ('authorization_pending', 'The authorization request is still pending', 400),
        'slow_down': ('slow_down', 'Slow down', 400),
        'device_expired': ('expired_token', 'Device code is expired', 400),
        'device_denied': ('access_denied', 'The end user denied the authorization request', 400),
        'bad_device_code': ('invalid_grant', 'Device code not valid', 400),
        'bad_token': ('invalid_token', 'Token verification failed', 401),
        'no_openid': ('insufficient_scope', 'Missing openid scope', 403),
    }
    user = {**base.Player.user, 'sub': '9d3a1f0c-6b52-4a4e-8f47-2c1f0e5d7a63', 'preferred_username': 'jane'}
    claims_of_scope = {'profile': ['name', 'given_name', 'family_name', 'preferred_username'],
                       'email': ['email', 'email_verified']}
    api, redirect = 'https://api.example.com/jobs', 'http://127.0.0.1/callback'
    device_page = ISSUER + '/device'
    Settings = Settings

    def __init__(self, name, record):
        super().__init__(name, record)
        # The user's session at Keycloak, which the families without `offline_access` share.
        self.session = str(uuid.uuid4())

    @property
    def rotation(self):
        return 'reuse' if self.settings.revoke_refresh_token else 'overlap'

    def make_clients(self):
        return {'desktop': Client('sallyport-cli', redirect_uris=[self.redirect], grants=[CODE, REFRESH],
                                  post_logout_redirect_uris=[self.redirect]),
                'device': Client('sallyport-device', grants=[DEVICE, REFRESH])}

    def extra_routes(self):
        return [(ISSUER + '/.well-known/openid-configuration', 'GET', resources.discovery),
                (self.endpoints['end_session_endpoint'], 'GET POST', end_session), (self.api, 'GET', resources.jobs)]

    def may_redirect(self, client, address):
        return redirects.any_port(address, client.redirect_uris, ['127.0.0.1', 'localhost'])

    def authorized(self, family, request, parameters):
        family.session = self.session

    def callback(self, family, code, parameters):
        return [('state', parameters['state']), ('session_state', family.session), ('iss', ISSUER), ('code', code)]

    def refused_callback(self, error, parameters):
        return [*super().refused_callback(error, parameters), ('iss', ISSUER)]

    def check_code(self, request, code):
        self.check_role(code.family)

    def check_role(self, family):
        if is_offline(family) and not self.settings.offline_role:
            raise self.fail('no_offline_role')

    def check_refresh(self, request, family):
        self.check_role(family)
        if not is_offline(family) and time.monotonic() - family.used > self.settings.session_idle:
            self.end(family)
            raise self.fail('dead_refresh')

    def gives_refresh_token(self, family, refreshing):
        return True

    def access_token(self, family, scope):
        family.session = getattr(family, 'session', self.session)
        return issuing.signed_access_token(self, family, scope, 'account', azp=family.client.id, typ='Bearer',
                                           sid=family.session)

    def id_claims(self, family, claims):
        claims.update(jti=str(uuid.uuid4()), azp=family.client.id, typ='ID', sid=family.session, acr='1',
                      auth_time=family.auth_time)

    def complete(self, content, family, refreshing):
        # 0: an offline session has no end.
        life = 0 if is_offline(family) else int(self.settings.session_idle)
        content.update({'refresh_expires_in': life, 'not-before-policy': 0, 'session_state': family.session})

    def signed_out(self, claims):
        """Ends the user's session. Offline sessions stay: they are revoked, not signed out."""
        for family in self.families:
            if family.__dict__.get('session') == claims.get('sid') and not is_offline(family):
                self.end(family)
        self.session = str(uuid.uuid4())

    def headers_of(self, reason):
        if reason in ('bad_token', 'no_openid'):
            code, description, _ = self.errors[reason]
            return {'WWW-Authenticate': f'Bearer realm="acme", error="{code}", error_description="{description}"'}
        return {}


def is_offline(family):
    return 'offline_access' in family.scope.split()


def end_session(player, request):
    # Without the hint, Keycloak asks the user first.
    if request.parameters['id_token_hint'] is None:
        return page('Do you want to log out?')
    return resources.end_session(player, request)
