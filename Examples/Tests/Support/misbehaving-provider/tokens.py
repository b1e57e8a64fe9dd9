"""Tokens: access tokens, ID tokens, and families of refresh tokens that follow one another."""
import secrets
import time
from dataclasses import dataclass, field
from types import SimpleNamespace

import jose
from exchange import OAuthError

PERSON = {
    'sub': '248289761001', 'name': 'Jane Doe', 'given_name': 'Jane', 'family_name': 'Doe',
    'preferred_username': 'jane', 'email': 'jane@example.com', 'email_verified': True,
}
CLAIMS_OF_SCOPE = {'profile': ['name', 'given_name', 'family_name', 'preferred_username'],
                   'email': ['email', 'email_verified']}
SCOPES = ['openid', 'profile', 'email', 'offline_access']


def granted(scope):
    """What is known of what was asked for; the rest is ignored. RFC 6749, 3.3."""
    return ' '.join(word for word in dict.fromkeys(scope.split()) if word in SCOPES)


@dataclass
class Family:
    """All that came of one sign-in."""
    client: object
    scope: str
    auth_time: int
    nonce: str = None
    person: str = PERSON['sub']
    acr: str = '0'
    max_age: int = None
    # The thumbprint of the key that its tokens are bound to. RFC 9449, 5.
    thumbprint: str = None
    refresh_token: str = None
    # The refresh token before the current one, when it was replaced, and with which answer.
    former: tuple = (None, 0, None)
    ended: bool = False
    access_tokens: list = field(default_factory=list)


def end(provider, family):
    family.ended = True
    for token in family.access_tokens:
        provider.access_tokens.pop(token, None)


def issue(provider, family, request, refreshing=False):
    """The content of a token answer. RFC 6749, 5.1; OpenID Core, 3.1.3.3 and 12.2."""
    access_token, life = _access_token(provider, family), provider.settings.token_life
    provider.access_tokens[access_token] = SimpleNamespace(family=family, until=time.monotonic() + life)
    family.access_tokens.append(access_token)
    answer = {'access_token': access_token, 'token_type': 'DPoP' if family.thumbprint else 'Bearer',
              'expires_in': life, 'scope': family.scope}
    keeps = refreshing and provider.replace('rotation') == 'keep'
    if 'offline_access' in family.scope.split() and 'refresh_token' in family.client.grants and not keeps:
        answer['refresh_token'] = family.refresh_token = provider.secret('refresh_token')
        provider.refresh_tokens[family.refresh_token] = family
    if 'openid' in family.scope.split():
        answer['id_token'] = id_token(provider, family, access_token, refreshing)
        provider.record.keep('id_token', answer['id_token'])
    provider.spoil('refresh_answer' if refreshing else 'token_answer', answer, request=request, family=family)
    return answer


def _access_token(provider, family):
    """Opaque, or a JWT if it is for a named API. RFC 9068, 2."""
    if not provider.settings.audience:
        return provider.secret('access_token')
    key, now = provider.keys.signing(provider.alg(family.client)), int(provider.now)
    claims = {
        'iss': provider.issuer, 'sub': family.person, 'aud': provider.settings.audience,
        'client_id': family.client.id, 'iat': now, 'exp': now + provider.settings.token_life,
        'jti': secrets.token_urlsafe(12), 'scope': family.scope, 'auth_time': family.auth_time, 'acr': family.acr,
    }
    if family.thumbprint:
        # RFC 9449, 6.1.
        claims['cnf'] = {'jkt': family.thumbprint}
    token = jose.compact({'typ': 'at+jwt', 'alg': key.alg, 'kid': key.kid}, claims, key)
    provider.record.keep('access_token', token)
    return token


def id_token(provider, family, access_token, refreshing):
    key = provider.keys.signing(provider.alg(family.client))
    now = int(provider.now)
    claims = {
        'iss': provider.issuer, 'sub': family.person, 'aud': family.client.id,
        'iat': now, 'exp': now + max(provider.settings.token_life, 60),
        'auth_time': family.auth_time, 'acr': family.acr, 'at_hash': jose.half_hash(key.alg, access_token),
    }
    # OpenID Core, 12.2: after a refresh it SHOULD NOT have a nonce.
    if family.nonce and not refreshing:
        claims['nonce'] = family.nonce
    job = SimpleNamespace(header={'alg': key.alg, 'kid': key.kid, 'typ': 'JWT'}, claims=claims, key=key)
    if refreshing:
        provider.spoil('refresh_claims', claims, family=family)
        provider.spoil('refresh_signing', job, family=family)
    else:
        provider.spoil('claims', claims, family=family)
        provider.spoil('signing', job, family=family)
    return jose.compact(job.header, job.claims, job.key)


def refresh(provider, family, token, request):
    """Rotates, and ends the family of a token that comes back too late. RFC 9700, 4.14.2."""
    former, replaced, answer = family.former
    if family.ended:
        raise OAuthError('invalid_grant', 'the session has ended')
    if token == family.refresh_token:
        answer = issue(provider, family, request, refreshing=True)
        if family.refresh_token != token:
            family.former = (token, time.monotonic(), answer)
        return answer
    # Its answer may have been lost: the same again, but only while nothing newer was used.
    if token == former and time.monotonic() - replaced <= provider.settings.grace:
        return answer
    end(provider, family)
    raise OAuthError('invalid_grant', 'the refresh token was used before: the session has ended')
