"""Refusals by reason. Each provider has its own codes, statuses and words for them."""
from exchange import OAuthError


class Refusal(OAuthError):
    """An error with the reason by which a provider's rules know it."""

    def __init__(self, reason, code, description, status=400, headers=None):
        super().__init__(code, description, status, headers)
        self.reason = reason
        # A redirect URI that is told of the error although the requested one was refused.
        self.address = None


# Reason: code, description, status. A provider replaces those that it words in another way.
REASONS = {
    # The authorization endpoint: RFC 6749, 4.1.2.1.
    'unknown_client': ('invalid_client', 'The client is unknown.', 400),
    'wrong_client_type': ('unauthorized_client', 'The client may not use this flow.', 400),
    'bad_redirect': ('redirect_uri_mismatch', 'The redirect URI {address} is not registered.', 400),
    'missing': ('invalid_request', 'The parameter {name} is missing.', 400),
    'response_type': ('unsupported_response_type', 'Only the response type code is supported.', 400),
    'response_mode': ('invalid_request', 'Only the response mode query is supported.', 400),
    'pkce': ('invalid_request', 'PKCE with S256 is required.', 400),
    'bad_prompt': ('invalid_request', 'The value of prompt is not supported.', 400),
    'bad_scope': ('invalid_scope', 'Unknown scopes: {scopes}', 400),
    'denied': ('access_denied', 'The user denied the request.', 400),
    # The token endpoint: RFC 6749, 5.2.
    'no_client': ('invalid_client', 'The client is unknown.', 401),
    'no_secret': ('invalid_client', 'The client secret is missing.', 401),
    'bad_secret': ('invalid_client', 'The client secret is wrong.', 401),
    'secret_sent': ('invalid_client', 'A public client has no secret.', 401),
    'unsupported_grant': ('unsupported_grant_type', 'The grant type is not supported.', 400),
    'grant_not_allowed': ('unauthorized_client', 'The client may not use this grant type.', 400),
    'bad_code': ('invalid_grant', 'The code is unknown, used or expired.', 400),
    'code_redirect': ('invalid_grant', 'The redirect URI is not the one of the request.', 400),
    'bad_verifier': ('invalid_grant', 'The code verifier does not match.', 400),
    'dead_refresh': ('invalid_grant', 'The refresh token is invalid, expired or revoked.', 400),
    'refused_refresh': ('{code}', 'Refused by a setting of the player.', 400),
    # The device flow: RFC 8628, 3.5.
    'pending': ('authorization_pending', 'The user has not decided yet.', 400),
    'slow_down': ('slow_down', 'The client polls too fast.', 400),
    'device_expired': ('expired_token', 'The device code has expired.', 400),
    'device_denied': ('access_denied', 'The user denied the request.', 400),
    'bad_device_code': ('invalid_grant', 'The device code is unknown.', 400),
    # Protected resources: RFC 6750, 3.1.
    'bad_token': ('invalid_token', 'The access token is unknown, expired or revoked.', 401),
    'no_openid': ('insufficient_scope', 'The access token lacks the scope openid.', 403),
}


def refusal(player, reason, **words):
    code, description, status = {**REASONS, **player.errors}[reason]
    text = description and description.format(**words)
    return Refusal(reason, code.format(**words), text, status, player.headers_of(reason))
