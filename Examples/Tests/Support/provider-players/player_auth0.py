"""Auth0. https://auth0.com/docs/api/authentication and .../secure/tokens/refresh-tokens/refresh-token-rotation."""
import secrets
from dataclasses import dataclass

import base
import issuing
import redirects
import resources
from base import CODE, DEVICE, GRANTS_WITH_DEVICE, REFRESH, Client
from exchange import NO_STORE, Answer, json_answer

ISSUER, JOBS = 'https://acme.auth0.com/', 'https://api.example.com/jobs'


@dataclass
class Settings(base.Settings):
    access_token_life: int = 86_400
    # Whether a refresh is answered with `mfa_required`: the user has to sign in again in the browser.
    mfa_required: bool = False
    # Whether the API allows `offline_access`.
    allow_offline_access: bool = True


class Player(base.Player):
    issuer = ISSUER
    hosts = ['acme.auth0.com', 'api.example.com']
    endpoints = {
        'authorization_endpoint': ISSUER + 'authorize',
        'token_endpoint': ISSUER + 'oauth/token',
        'device_authorization_endpoint': ISSUER + 'oauth/device/code',
        'userinfo_endpoint': ISSUER + 'userinfo',
        'jwks_uri': ISSUER + '.well-known/jwks.json',
        'revocation_endpoint': ISSUER + 'oauth/revoke',
        'end_session_endpoint': ISSUER + 'oidc/logout',
    }
    metadata = {
        'mfa_challenge_endpoint': ISSUER + 'mfa/challenge',
        'scopes_supported': ['openid', 'profile', 'offline_access', 'name', 'given_name', 'family_name', 'nickname',
                             'email', 'email_verified', 'picture', 'created_at', 'identities', 'phone', 'address'],
        'response_types_supported': ['code', 'token', 'id_token', 'code token', 'code id_token', 'token id_token',
                                     'code token id_token'],
        'response_modes_supported': ['query', 'fragment', 'form_post'],
        'code_challenge_methods_supported': ['S256', 'plain'],
        'subject_types_supported': ['public'],
        'grant_types_supported': [CODE, REFRESH, DEVICE, 'client_credentials'],
        'token_endpoint_auth_methods_supported': ['client_secret_basic', 'client_secret_post', 'private_key_jwt',
                                                  'none'],
        'id_token_signing_alg_values_supported': ['HS256', 'RS256', 'PS256'],
        'request_uri_parameter_supported': False,
        'request_parameter_supported': False,
    }
    scopes = ['openid', 'profile', 'email', 'offline_access', 'read:jobs']
    drops_unknown_scopes, scope_required = True, False
    errors = {
        'unknown_client': ('invalid_request', 'Unknown client', 400),
        'bad_redirect': ('unauthorized_client', 'Callback URL mismatch. {address} is not in the list of allowed '
                         'callback URLs.', 400),
        'bad_audience': ('access_denied', 'Service not found: {audience}', 400),
        'denied': ('access_denied', 'User did not authorize the request', 400),
        'no_client': ('access_denied', 'Unauthorized', 401),
        'no_secret': ('access_denied', 'Unauthorized', 401),
        'bad_secret': ('access_denied', 'Unauthorized', 401),
        'secret_at_device': ('unauthorized_client', 'Client authentication is not allowed at this endpoint.', 403),
        'grant_not_allowed': ('unauthorized_client', "Grant type not allowed for the client.", 403),
        'unsupported_grant': ('unsupported_grant_type', 'Unsupported grant type', 403),
        'bad_code': ('invalid_grant', 'Invalid authorization code', 403),
        'code_redirect': ('invalid_grant', 'The redirect URI is wrong.', 403),
        'bad_verifier': ('invalid_grant', 'Failed to verify code verifier', 403),
        'dead_refresh': ('invalid_grant', 'Unknown or invalid refresh token.', 403),
        'mfa': ('mfa_required', 'Multifactor authentication required', 403),
        'pending': ('authorization_pending', 'User has yet to authorize device code.', 403),
        'slow_down': ('slow_down', 'You are polling faster than the specified interval.', 429),
        'device_expired': ('expired_token', 'The device code has expired.', 403),
        'device_denied': ('access_denied', 'The end-user denied the authorization request.', 403),
        'bad_device_code': ('invalid_grant', 'Invalid or expired device code.', 403),
    }
    user = {**base.Player.user, 'sub': 'auth0|507f1f77bcf86cd799439011', 'nickname': 'jane'}
    claims_of_scope = {'profile': ['name', 'given_name', 'family_name', 'nickname'],
                       'email': ['email', 'email_verified']}
    prefixes = {'refresh_token': 'v1.'}
    api, api_audience, redirect = JOBS, JOBS, 'http://127.0.0.1:8484/callback'
    device_page = ISSUER + 'activate'
    Settings = Settings

    def make_clients(self):
        return {
            'desktop': Client('zJ4kL8mN2pQ6rS0tU3vW7xY1aB5cD9eF', redirect_uris=[self.redirect], kind='Native',
                              post_logout_redirect_uris=['http://127.0.0.1:8484/'], grants=[CODE, REFRESH]),
            'device': Client('dV1cE2aB3cD4eF5gH6iJ7kL8mN9oP0qR', grants=[DEVICE, REFRESH], kind='Native'),
            'web': Client('wE1bA2pP3lI4cA5tI6oN7wE8bA9pP0lI', secret=secrets.token_urlsafe(48), kind='Regular Web',
                          redirect_uris=[self.redirect], grants=GRANTS_WITH_DEVICE),
        }

    @property
    def place(self):
        return {**super().place, 'audience': JOBS, 'scope': 'read:jobs'}

    def extra_routes(self):
        return [(ISSUER + '.well-known/openid-configuration', 'GET', resources.discovery),
                (JOBS, 'GET', resources.jobs)]

    def check_secret(self, client, secret, request):
        if request.path == '/oauth/device/code':
            if secret is not None:
                raise self.fail('secret_at_device')
            return
        super().check_secret(client, secret, request)

    def may_redirect(self, client, address):
        return redirects.whole(address, client.redirect_uris)

    def granted(self, client, words, parameters):
        audience = parameters['audience']
        if audience not in (None, JOBS):
            raise self.fail('bad_audience', audience=audience)
        kept = super().granted(client, words, parameters)
        # Without an audience, there is no API whose scopes could be granted.
        dropped = [] if audience else ['read:jobs']
        if audience and not self.settings.allow_offline_access:
            dropped.append('offline_access')
        return [word for word in kept if word not in dropped]

    def token_audience(self, family, scope):
        return family.parameters.get('audience')

    def access_token(self, family, scope):
        audience = family.parameters.get('audience')
        if audience is None:
            return super().access_token(family, scope)
        audiences = [audience, ISSUER + 'userinfo'] if 'openid' in scope.split() else audience
        return issuing.signed_access_token(self, family, scope, audiences, azp=family.client.id)

    def id_claims(self, family, claims):
        del claims['at_hash']
        claims['sid'] = 'sid-' + family.client.id[:8]

    def check_refresh(self, request, family):
        if self.settings.mfa_required:
            raise self.fail('mfa')

    def error_answer(self, error, request):
        if getattr(error, 'reason', '') == 'mfa':
            content = {'error': error.code, 'error_description': error.description,
                       'mfa_token': self.secret('mfa_token')}
            return json_answer(content, error.status, NO_STORE)
        return super().error_answer(error, request)

    def revoke(self, request, token):
        # Refresh tokens alone. An access token stays good until its end.
        client, held = self.authenticate(request), self.refresh_tokens.get(token)
        if held and held.family.client is client:
            self.refresh_tokens = {name: one for name, one in self.refresh_tokens.items()
                                   if one.family is not held.family}
        return Answer(200, headers=dict(NO_STORE))
