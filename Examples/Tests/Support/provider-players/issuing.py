"""Tokens: access tokens, refresh tokens and ID tokens. RFC 6749, 5.1; OpenID Core, 2 and 3.1.3.3."""
import time
from types import SimpleNamespace

import jose


def issue(player, family, request, refreshing=False):
    """The content of a token response."""
    scope, life = player.token_scope(family, request), player.life(family)
    if refreshing and player.refresh_ends_access:
        for former in family.access_tokens:
            player.access_tokens.pop(former, None)
    token = player.access_token(family, scope)
    player.record.keep('access_token', token)
    player.access_tokens[token] = SimpleNamespace(
        family=family, until=time.monotonic() + life, scope=scope, audience=player.token_audience(family, scope),
        host=request.host)
    family.access_tokens.append(token)
    content = {'access_token': token, 'token_type': 'DPoP' if family.thumbprint else 'Bearer',
               'expires_in': life, 'scope': scope}
    if player.gives_refresh_token(family, refreshing):
        content['refresh_token'] = family.refresh_token = player.secret('refresh_token')
        player.refresh_tokens[family.refresh_token] = SimpleNamespace(family=family, generation=family.generation)
    if 'openid' in family.scope.split():
        content['id_token'] = id_token(player, family, token, refreshing)
        player.record.keep('id_token', content['id_token'])
    player.complete(content, family, refreshing)
    return content


def id_token(player, family, access_token, refreshing):
    key, now = player.signing_key(family), int(player.now)
    life = getattr(player, 'id_token_life', None) or max(player.settings.access_token_life, 60)
    claims = {'iss': player.issuer_of(family), 'aud': family.client.id, 'iat': now, 'exp': now + life,
              **player.claims_for(family.scope), 'at_hash': jose.half_hash(key.alg, access_token)}
    # OpenID Core, 12.2: after a refresh it SHOULD NOT have a nonce.
    if family.nonce and not refreshing:
        claims['nonce'] = family.nonce
    player.id_claims(family, claims)
    return jose.compact({'alg': key.alg, 'kid': key.kid, 'typ': 'JWT'}, claims, key)


def signed_access_token(player, family, scope, audience, **claims):
    """An access token that is a JWT. Its client has to treat it as opaque all the same."""
    key, now = player.signing_key(family), int(player.now)
    claims = {'iss': player.issuer_of(family), 'sub': player.user['sub'], 'aud': audience, 'iat': now,
              'exp': now + player.settings.access_token_life, 'jti': player.secret('jti', 12), 'scope': scope, **claims}
    claims = {name: value for name, value in claims.items() if value is not None}
    return jose.compact({'alg': key.alg, 'kid': key.kid, 'typ': 'JWT'}, claims, key)
