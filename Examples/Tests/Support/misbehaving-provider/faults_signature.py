"""Faults of the ID token's header and signature, and of the keys that verify it."""
from faults import DONE, UNREACHABLE, UNSAFE, fault
from jose import BrokenKey, NoKey, SharedKey


def broken(job, x):
    job.key = BrokenKey(job.key)


def unsigned(job, x):
    job.header['alg'], job.key = 'none', NoKey()


def with_client_secret(job, x):
    job.header['alg'], job.key = 'HS256', SharedKey((x.family.client.secret or '').encode())


def with_public_key(job, x):
    job.header['alg'], job.key = 'HS256', SharedKey(job.key.pem)


def by_stranger(**members):
    """Signs with a key that only the token itself vouches for."""
    def deed(job, x):
        key = x.provider.other.keys.other('stranger')
        values = {'jwk': key.jwk, 'jku': x.provider.other.address('/strangers-jwks'), 'kid': key.kid}
        job.header.update({name: values[name] for name in members if members[name]})
        job.key = key
    return deed


def critical(job, x):
    job.header.update({'crit': ['https://provider.example/must'], 'https://provider.example/must': True})


def without_kid(job, x):
    job.header.pop('kid')


def one_key(keys, x):
    signer = x.provider.keys.signing(x.provider.alg()).kid
    keys[:] = [key for key in keys if key['kid'] == signer]
    keys[0].pop('kid')


def two_alike(keys, x):
    """Two RSA keys without names, nothing to tell them apart by."""
    one_key(keys, x)
    twin = {**x.provider.keys.other('twin').jwk}
    twin.pop('kid')
    keys.insert(0, twin)


def for_encryption(keys, x):
    signer = x.provider.keys.signing(x.provider.alg()).kid
    for key in keys:
        if key['kid'] == signer:
            key['use'] = 'enc'


def small(x):
    return x.provider.keys.other('small', bits=1024)


def with_small_key(job, x):
    job.key = small(x)
    job.header['kid'] = job.key.kid


def with_next_key(job, x):
    job.key = x.provider.keys.other('next')
    job.header['kid'] = job.key.kid


def next_at_second_look(keys, x):
    """Whoever asks first gets the keys as they were: a cache in between, or a client that asked before."""
    looks = x.provider.memory['looks'] = x.provider.memory.get('looks', 0) + 1
    if looks > 1:
        keys.append(x.provider.keys.other('next').jwk)


fault('kid-absent-single-jwks', DONE, 'No kid, and one key. Core 10.1: needed only where there are more.',
      signing=without_kid, jwks=one_key)
fault('kid-absent-multiple-jwks', UNSAFE, 'No kid, and two RSA keys alike. Core 10.1: kid is needed then.',
      signing=without_kid, jwks=two_alike)
fault('kid-unknown', UNSAFE, 'A kid that no key has, now or later. Core 10.1.1.', also=(UNREACHABLE,),
      signing=lambda job, x: job.header.update(kid='nobody'))
fault('unknown-kid-then-rotated', DONE, 'Signed with a new key, which the key set has from the second look on: '
      'signing-key-rotation. Core 10.1.1.', signing=with_next_key, jwks=next_at_second_look)
fault('idtoken-sig-none', UNSAFE, 'alg none and no signature. Core 3.1.3.7 (7); RFC 8725, 3.1.', signing=unsigned)
fault('invalid-sig-rs256', UNSAFE, 'RS256, one bit of the signature turned. Core 3.1.3.7 (6).', alg='RS256',
      signing=broken)
fault('invalid-sig-es256', UNSAFE, 'ES256, one bit of the signature turned. Core 3.1.3.7 (6).', alg='ES256',
      signing=broken)
fault('invalid-sig-ps256', UNSAFE, 'PS256, one bit of the signature turned. Core 3.1.3.7 (6).', alg='PS256',
      signing=broken)
fault('invalid-sig-eddsa', UNSAFE, 'EdDSA, one bit of the signature turned. Core 3.1.3.7 (6).', alg='EdDSA',
      signing=broken)
for alg in ('RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'):
    fault(f'idtoken-sig-{alg.lower()}', DONE, f'Rightly signed with {alg}, as advertised. RFC 7518, 3.1.', alg=alg)
fault('alg-hs256-with-client-secret', UNSAFE, 'HMAC with the client secret, though RS256 was registered. '
      'Core 3.1.3.7 (7).', client='basic', signing=with_client_secret)
fault('alg-hs256-with-public-key', UNSAFE, 'HMAC with the public key\'s text as the secret. RFC 8725, 2.1, 3.1.',
      signing=with_public_key)
fault('key-in-header', UNSAFE, 'A stranger\'s key in the header\'s jwk. RFC 8725, 3.10; Core 10.1.',
      signing=by_stranger(jwk=True))
fault('jku-header', UNSAFE, 'The header\'s jku leads to a stranger\'s keys: not to be fetched. RFC 8725, 3.10.',
      signing=by_stranger(jku=True, kid=True))
fault('crit-header', UNSAFE, 'A critical extension nobody knows. RFC 7515, 4.1.11.', signing=critical)
fault('wrong-key-use', UNSAFE, 'The key is for encryption: use is enc. RFC 7517, 4.2.', jwks=for_encryption)
fault('key-too-small', UNSAFE, 'An RSA key of 1,024 bits. RFC 7518, 3.3: 2,048 or more.',
      signing=with_small_key, jwks=lambda keys, x: keys.append(small(x).jwk))
