"""Proof of possession: RFC 9449."""
import hashlib
import secrets
import time

import jose
from exchange import OAuthError

ALGORITHMS = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'PS256']
LEEWAY = 300
NONCE_LIFE = 300


def challenge(error, description):
    """What a protected resource says. RFC 9449, 7.1; RFC 6750, 3."""
    return (f'DPoP error="{error}", error_description="{description}", algs="{" ".join(ALGORITHMS)}", '
            'Bearer realm="provider"')


def nonce(provider):
    """The nonce of this minute. RFC 9449, 8."""
    minute = int(time.monotonic() / 60)
    if minute not in provider.dpop_nonces:
        provider.dpop_nonces[minute] = secrets.token_urlsafe(16)
    return provider.dpop_nonces[minute]


def _knows(provider, value):
    oldest = int(time.monotonic() - NONCE_LIFE) // 60
    return value in [known for minute, known in provider.dpop_nonces.items() if minute >= oldest]


def nonce_headers(provider):
    return {'DPoP-Nonce': nonce(provider)} if provider.settings.require_dpop_nonce else {}


def proof(provider, request, access_token=None):
    """Checks the proof of a request: RFC 9449, 4.3.

    Returns the thumbprint of its key; None where there is no proof. Raises OAuthError, 400.
    """
    fields = request.headers.get_all('DPoP', [])
    if not fields:
        return None
    if len(fields) > 1:
        raise _bad('more than one proof')
    provider.record.keep('dpop_proof', fields[0])
    try:
        header, claims = jose.read(fields[0])
        jwk = header['jwk']
        if header.get('typ') != 'dpop+jwt' or header.get('alg') not in ALGORITHMS:
            raise _bad('typ or alg')
        if not isinstance(jwk, dict) or {'d', 'k', 'p', 'q'} & set(jwk):
            raise _bad('jwk is no public key')
        jose.verify(fields[0], jwk)
        thumbprint = jose.thumbprint(jwk)
    except (jose.BadToken, KeyError, TypeError) as error:
        raise _bad(f'the proof: {error}') from error
    if claims.get('htm') != request.method:
        raise _bad('htm is another method')
    if claims.get('htu') != provider.address(request.path):
        raise _bad('htu is another address, or has a query or fragment')
    _check_freshness(provider, claims)
    expected = jose.b64(hashlib.sha256(access_token.encode()).digest()) if access_token else None
    if access_token and claims.get('ath') != expected:
        raise _bad('ath is another token\'s')
    return thumbprint


def _check_freshness(provider, claims):
    identifier, issued, given = claims.get('jti'), claims.get('iat'), claims.get('nonce')
    if not isinstance(identifier, str) or not identifier or identifier in provider.proofs:
        raise _bad('jti is missing, or was used before')
    if isinstance(issued, bool) or not isinstance(issued, (int, float)):
        raise _bad('iat is missing')
    has_nonce = given is not None and _knows(provider, given)
    # Section 9: a nonce is asked for, not just wished for. An unknown one is answered in the same way.
    if provider.replace('dpop_nonce', provider.settings.require_dpop_nonce and not has_nonce):
        raise OAuthError('use_dpop_nonce', 'a nonce of this server is required', 400, {'DPoP-Nonce': nonce(provider)})
    # Section 4.3, 11: the time is in the claim or in the nonce.
    if not has_nonce and abs(issued - provider.now) > LEEWAY:
        raise _bad('iat is too far from now')
    provider.proofs[identifier] = issued


def _bad(description):
    return OAuthError('invalid_dpop_proof', description)
