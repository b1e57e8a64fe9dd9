"""Okta. https://developer.okta.com/docs/reference/api/oidc/ and .../docs/guides/dpop/."""
from dataclasses import dataclass

import base
import dpop
import issuing
import redirects
import resources
from base import CODE, DEVICE, REFRESH, Client
from exchange import NO_STORE, Answer, OAuthError, json_answer

ISSUER = 'https://acme.okta.com/oauth2/default'


@dataclass
class Settings(base.Settings):
    reuse_grace: float = 30
    require_dpop_nonce: bool = True
    # The number of proofs for which a nonce is good.
    nonce_uses: int = 1000


class Player(base.Player):
    issuer = ISSUER
    hosts = ['acme.okta.com', 'api.example.com']
    endpoints = {
        'authorization_endpoint': ISSUER + '/v1/authorize',
        'token_endpoint': ISSUER + '/v1/token',
        'userinfo_endpoint': ISSUER + '/v1/userinfo',
        'jwks_uri': ISSUER + '/v1/keys',
        'revocation_endpoint': ISSUER + '/v1/revoke',
        'end_session_endpoint': ISSUER + '/v1/logout',
        'device_authorization_endpoint': ISSUER + '/v1/device/authorize',
    }
    metadata = {
        'response_types_supported': ['code', 'id_token', 'code id_token', 'code token', 'id_token token',
                                     'code id_token token'],
        'response_modes_supported': ['query', 'fragment', 'form_post', 'okta_post_message'],
        'grant_types_supported': [CODE, 'implicit', REFRESH, 'password', DEVICE],
        'subject_types_supported': ['public'],
        'id_token_signing_alg_values_supported': ['RS256'],
        'scopes_supported': ['openid', 'profile', 'email', 'address', 'phone', 'offline_access', 'device_sso'],
        'token_endpoint_auth_methods_supported': ['client_secret_basic', 'client_secret_post', 'client_secret_jwt',
                                                  'private_key_jwt', 'none'],
        'code_challenge_methods_supported': ['S256'],
        'request_parameter_supported': True,
        'dpop_signing_alg_values_supported': ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'],
    }
    scopes = [*metadata['scopes_supported'], 'jobs.read']
    prompts = ['none', 'login', 'consent']
    errors = {
        'unknown_client': ('invalid_client', 'The client is unknown.', 400),
        'bad_redirect': ('invalid_request', "The 'redirect_uri' parameter must be a Login redirect URI in the client "
                         'app settings.', 400),
        'bad_scope': ('invalid_scope', 'One or more scopes are not configured for the authorization server resource.',
                      400),
        'denied': ('access_denied', 'Resource owner denied access.', 400),
        'no_client': ('invalid_client', "Invalid value for 'client_id' parameter.", 401),
        'bad_code': ('invalid_grant', 'The authorization code is invalid or has expired.', 400),
        'code_redirect': ('invalid_grant', "The 'redirect_uri' is not the one of the authorization request.", 400),
        'bad_verifier': ('invalid_grant', 'PKCE verification failed.', 400),
        'dead_refresh': ('invalid_grant', 'The refresh token is invalid or expired.', 400),
        'no_proof': ('invalid_dpop_proof', 'The DPoP proof JWT header is missing.', 400),
        'pending': ('authorization_pending', 'The device authorization is pending. Please try again later.', 400),
        'device_denied': ('access_denied', 'The resource owner denied the request.', 400),
    }
    user = {**base.Player.user, 'sub': '00u1a2b3c4D5e6F7g8h9', 'preferred_username': 'jane@example.com'}
    claims_of_scope = {'profile': ['name', 'given_name', 'family_name', 'preferred_username'],
                       'email': ['email', 'email_verified']}
    api, redirect = 'https://api.example.com/jobs', 'http://127.0.0.1:8484/callback'
    device_page = 'https://acme.okta.com/activate'
    Settings = Settings

    def __init__(self, name, record):
        super().__init__(name, record)
        self.proofs_with_nonce = 0

    def make_clients(self):
        native = {'redirect_uris': [self.redirect], 'post_logout_redirect_uris': ['http://127.0.0.1:8484/']}
        return {'desktop': Client('0oa1b2c3d4E5f6G7h8i9', **native),
                'dpop': Client('0oa9z8y7x6W5v4U3t2s1', kind='DPoP', **native),
                'device': Client('0oaDeViCe1b2C3d4E5f6', grants=[DEVICE, REFRESH])}

    def extra_routes(self):
        return [(ISSUER + '/.well-known/openid-configuration', 'GET', resources.discovery),
                ('https://acme.okta.com/.well-known/oauth-authorization-server/oauth2/default', 'GET',
                 resources.discovery), (self.api, 'GET', resources.jobs)]

    def headers_of(self, reason):
        if reason in ('bad_token', 'no_openid'):
            return {'WWW-Authenticate': f'Bearer authorization_uri="{ISSUER}/v1/authorize", realm="{ISSUER}", '
                    'scope="openid", error="invalid_token", error_description="The access token is invalid."'}
        return super().headers_of(reason)

    def may_redirect(self, client, address):
        return redirects.whole(address, client.redirect_uris)

    def proof(self, request, client):
        """A new nonce comes with each refusal, and after a number of proofs. RFC 9449, 8."""
        if client.kind == 'DPoP' and 'DPoP' not in request.headers:
            raise self.fail('no_proof')
        if self.proofs_with_nonce >= self.settings.nonce_uses:
            self._forget_nonce()
        try:
            thumbprint = dpop.proof(self, request)
        except OAuthError as error:
            if error.code == 'use_dpop_nonce':
                self._forget_nonce()
                raise OAuthError(error.code, 'Authorization server requires nonce in DPoP proof.', 400,
                                 dpop.nonce_headers(self)) from error
            raise
        self.proofs_with_nonce += thumbprint is not None
        return thumbprint

    def _forget_nonce(self):
        self.dpop_nonces, self.proofs_with_nonce = {}, 0

    def access_token(self, family, scope):
        bound = {'jkt': family.thumbprint} if family.thumbprint else None
        token = issuing.signed_access_token(self, family, None, 'api://default', cid=family.client.id, ver=1,
                                            uid=self.user['sub'], scp=scope.split(), cnf=bound)
        return token

    def id_claims(self, family, claims):
        claims.update(ver=1, amr=['pwd'], idp='00o1a2b3c4D5e6F7g8h9', auth_time=family.auth_time)

    def error_answer(self, error, request):
        if getattr(error, 'reason', '') in ('bad_token', 'no_openid') and request.path.endswith('userinfo'):
            return Answer(401, headers={**NO_STORE, **error.headers})
        if getattr(error, 'reason', '') == 'no_client':
            # In the words of Okta's own API.
            content = {'errorCode': error.code, 'errorSummary': error.description, 'errorLink': error.code,
                       'errorId': 'oae1a2b3c4D5e6F7g8h9', 'errorCauses': []}
            answer = json_answer(content, error.status, NO_STORE)
            answer.error = error.code
            return answer
        return super().error_answer(error, request)

    def signed_out(self, claims):
        """Ends the user's session at Okta; the tokens of an app stay good."""
