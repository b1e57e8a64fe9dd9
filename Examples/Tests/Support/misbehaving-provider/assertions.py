"""Assertions: a client proves with one who it is, or asks with one for a token. RFC 7521; RFC 7523."""
import time

import jose
from exchange import OAuthError

TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
# Another program, which names the workloads that this provider trusts.
WORKLOAD_ISSUER, WORKLOAD = 'https://workloads.example', 'system:serviceaccount:default:tool'
LONGEST_LIFE = 3600


def client(provider, client, assertion):
    """Checks the assertion with which a client proves who it is. RFC 7523, 2.2 and 3. Raises BadToken."""
    provider.record.keep('client_assertion', assertion)
    if client.is_workload:
        _workload(provider, assertion)
        return
    audience = provider.issuer if client.audience == 'issuer' else provider.address('/token')
    claims = _signed(provider, client, assertion, audience)
    if claims.get('sub') != client.id:
        raise jose.BadToken('sub is another client')


def grant(provider, client, assertion):
    """Checks the assertion with which a client asks for a token; returns its subject. RFC 7523, 2.1."""
    provider.record.keep('assertion', assertion)
    try:
        if client.is_workload:
            return _workload(provider, assertion)['sub']
        if client.key_alg is None:
            raise jose.BadToken('the client has no key')
        # RFC 7523, 3: sub is required. The one person that is known here.
        claims = _signed(provider, client, assertion, provider.issuer)
        if claims.get('sub') != 'jane':
            raise jose.BadToken('sub is nobody known')
        return claims['sub']
    except (jose.BadToken, KeyError, TypeError) as error:
        raise OAuthError('invalid_grant', f'the assertion: {error}') from error


def workload_token(provider, life):
    """What the other program writes into a file."""
    now = int(time.time())
    key = provider.keys.other(WORKLOAD_ISSUER, 'ES256')
    claims = {'iss': WORKLOAD_ISSUER, 'sub': WORKLOAD, 'aud': provider.issuer, 'iat': now - 60, 'exp': now + life,
              'jti': provider.secret('workload_token_id')}
    token = jose.compact({'alg': key.alg, 'kid': key.kid}, claims, key)
    provider.record.keep('workload_token', token)
    return token


def _signed(provider, client, assertion, audience):
    """The claims of an assertion that the client's own key has signed, for one use."""
    claims = _claims(assertion, provider.keys.of_client(client), audience)
    # A longer one may be replayed for long.
    if claims['exp'] > time.time() + LONGEST_LIFE or claims.get('iss') != client.id:
        raise jose.BadToken('iss or exp')
    identifier = claims.get('jti')
    if not isinstance(identifier, str) or not identifier or identifier in provider.assertions:
        raise jose.BadToken('jti is missing, or was used before')
    provider.assertions.add(identifier)
    return claims


def _workload(provider, assertion):
    claims = _claims(assertion, provider.keys.other(WORKLOAD_ISSUER, 'ES256'), provider.issuer)
    if claims.get('iss') != WORKLOAD_ISSUER or claims.get('sub') != WORKLOAD:
        raise jose.BadToken('not a workload that is trusted')
    return claims


def _claims(assertion, key, audience):
    header, claims = jose.verify(assertion, key.jwk)
    # The registered algorithm alone: an RSA key can sign with others, too.
    if header.get('alg') != key.alg:
        raise jose.BadToken('another algorithm than the registered one')
    if claims.get('aud') != audience:
        raise jose.BadToken('aud is not this server, as the client has registered it')
    end = claims.get('exp')
    if isinstance(end, bool) or not isinstance(end, (int, float)) or end <= time.time():
        raise jose.BadToken('exp is missing, or past')
    return claims
