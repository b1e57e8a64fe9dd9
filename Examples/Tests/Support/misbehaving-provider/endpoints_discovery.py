"""Discovery and keys. OpenID Discovery 1.0; RFC 8414; RFC 7517."""
import dpop
from clients import GRANTS, METHODS
from exchange import json_answer
from jose import ALGORITHMS
from tokens import SCOPES


def discovery(provider, request):
    at = provider.address
    document = {
        'issuer': provider.issuer,
        'authorization_endpoint': at('/authorize'),
        'token_endpoint': at('/token'),
        'userinfo_endpoint': at('/userinfo'),
        'jwks_uri': at('/jwks'),
        'registration_endpoint': at('/register'),
        'revocation_endpoint': at('/revoke'),
        'end_session_endpoint': at('/end-session'),
        'device_authorization_endpoint': at('/device-authorization'),
        'pushed_authorization_request_endpoint': at('/par'),
        'require_pushed_authorization_requests': provider.settings.require_par,
        'scopes_supported': SCOPES,
        'response_types_supported': ['code'],
        'response_modes_supported': ['query'],
        'grant_types_supported': GRANTS,
        'acr_values_supported': ['0', '1'],
        'subject_types_supported': ['public'],
        'id_token_signing_alg_values_supported': ALGORITHMS,
        'token_endpoint_auth_methods_supported': METHODS,
        'revocation_endpoint_auth_methods_supported': METHODS,
        'claims_supported': ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'at_hash', 'name',
                             'given_name', 'family_name', 'preferred_username', 'email', 'email_verified'],
        'claims_parameter_supported': False,
        'request_parameter_supported': False,
        'request_uri_parameter_supported': False,
        'code_challenge_methods_supported': ['S256'],
        'authorization_response_iss_parameter_supported': True,
        'dpop_signing_alg_values_supported': dpop.ALGORITHMS,
        'prompt_values_supported': ['none', 'login', 'consent', 'select_account'],
        'ui_locales_supported': ['en'],
        'service_documentation': 'https://openid.net/specs/openid-connect-core-1_0.html',
    }
    return json_answer(provider.spoil('discovery', document))


def jwks(provider, request):
    return json_answer({'keys': provider.jwks}, headers={'Content-Type': 'application/jwk-set+json'})


def strangers_jwks(provider, request):
    """Keys that no discovery document names: whoever asks for them has followed a token's own header."""
    return json_answer({'keys': [provider.keys.other('stranger').jwk]})
