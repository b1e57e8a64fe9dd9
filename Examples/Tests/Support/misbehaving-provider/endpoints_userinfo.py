"""Claims about the person, for a token in the Authorization field alone. OpenID Core, 5.3; RFC 6750; RFC 9449, 7."""
import time
from types import SimpleNamespace

import dpop
import jose
from exchange import Answer, NO_STORE, OAuthError, json_answer
from tokens import CLAIMS_OF_SCOPE, PERSON


def userinfo(provider, request):
    family = _authorized(provider, request)
    claims = {'sub': family.person}
    for word in family.scope.split():
        claims.update({name: PERSON[name] for name in CLAIMS_OF_SCOPE.get(word, [])})
    provider.spoil('userinfo', claims)
    headers = {**NO_STORE, **dpop.nonce_headers(provider)}
    # OpenID Core, 5.3.2: signed where the client has registered that. Here a fault asks for it.
    key = provider.keys.signing(provider.alg(family.client))
    job = SimpleNamespace(header={'alg': key.alg, 'kid': key.kid}, key=key, is_signed=False,
                          claims={'iss': provider.issuer, 'aud': family.client.id, **claims})
    provider.spoil('userinfo_signing', job)
    if job.is_signed:
        token = jose.compact(job.header, job.claims, job.key)
        return Answer(200, token.encode(), {'Content-Type': 'application/jwt', **headers})
    return json_answer(claims, headers=headers)


def _authorized(provider, request):
    # RFC 9700, 4.3.2: a token in a query ends in logs. RFC 6750, 2.2: in a body it may be, but need not be taken.
    if 'access_token' in request.query.names or 'access_token' in request.form.names:
        raise OAuthError('invalid_request', 'the token belongs into the Authorization field', 400,
                         _challenge('invalid_request', 'the token belongs into the Authorization field'))
    scheme, token = request.authorization
    if scheme is None:
        # RFC 6750, 3.1: no error code for a request without credentials.
        raise OAuthError('invalid_token', 'no token', 401, {'WWW-Authenticate': 'Bearer realm="provider", DPoP'})
    known = provider.access_tokens.get(token)
    if known is None or known.until < time.monotonic() or 'openid' not in known.family.scope.split():
        raise _invalid('unknown, expired or revoked')
    bound = known.family.thumbprint
    if scheme.lower() != ('dpop' if bound else 'bearer'):
        raise _invalid('the scheme is not the token\'s')
    if bound:
        _check_proof(provider, request, token, bound)
    return known.family


def _check_proof(provider, request, token, bound):
    try:
        thumbprint = dpop.proof(provider, request, token)
    except OAuthError as error:
        # RFC 9449, 7.1 and 9: the resource says it in a challenge, with 401.
        headers = {**error.headers, 'WWW-Authenticate': dpop.challenge(error.code, error.description)}
        raise OAuthError(error.code, error.description, 401, headers) from error
    if thumbprint != bound:
        raise _invalid('no proof, or another key\'s')


def _challenge(code, description):
    return {'WWW-Authenticate': f'Bearer realm="provider", error="{code}", error_description="{description}"'}


def _invalid(description):
    return OAuthError('invalid_token', description, 401, _challenge('invalid_token', description))
