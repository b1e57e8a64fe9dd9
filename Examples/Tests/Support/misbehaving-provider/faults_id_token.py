"""Faults of the ID token's claims at sign-in. Named after the OpenID Foundation's tests where there is one."""
from faults import DONE, UNSAFE, fault

DAY = 86_400
WITH_MAX_AGE = ('--max-age', '300')


def put(**members):
    return lambda claims, x: claims.update(members)


def leave_out(name):
    return lambda claims, x: claims.pop(name)


def moved(name, seconds):
    """A time, so much later than now."""
    return lambda claims, x: claims.update({name: int(x.provider.now) + seconds})


def audience(*others, **members):
    return lambda claims, x: claims.update(aud=[claims['aud'], *others], **members)


def authorized_party(claims, x):
    claims.update(aud=[claims['aud'], 'stranger'], azp=claims['aud'])


fault('nonce-invalid', UNSAFE, 'Another nonce than was sent. Core 3.1.3.7 (11).', claims=put(nonce='another-nonce'))
fault('nonce-missing', UNSAFE, 'No nonce, though one was sent. Core 3.1.3.7 (11).', claims=leave_out('nonce'))
fault('invalid-iss', UNSAFE, 'Another issuer. Core 3.1.3.7 (2).', claims=put(iss='https://provider.example'))
fault('missing-iss', UNSAFE, 'No issuer. Core 2.', claims=leave_out('iss'))
fault('missing-sub', UNSAFE, 'No subject. Core 2.', claims=leave_out('sub'))
fault('empty-sub', UNSAFE, 'The subject is empty: it names nobody. Core 2.', claims=put(sub=''))
fault('sub-number', UNSAFE, 'The subject is a number. RFC 7519, 4.1.2: a string.', claims=put(sub=248289761001))
fault('invalid-aud', UNSAFE, 'For another client. Core 3.1.3.7 (3).', claims=put(aud='stranger'))
fault('missing-aud', UNSAFE, 'For nobody. Core 2.', claims=leave_out('aud'))
fault('aud-array-single', DONE, 'The client alone, in a list. RFC 7519, 4.1.3.', claims=audience())
fault('aud-array-with-stranger-azp-missing', UNSAFE, 'For the client and a stranger, no azp. Core 3.1.3.7 (3, 4).',
      claims=audience('stranger'))
fault('aud-array-with-stranger-azp-wrong', UNSAFE, 'For the client and a stranger, azp the stranger. Core 3.1.3.7 (5).',
      claims=audience('stranger', azp='stranger'))
fault('aud-array-with-stranger', UNSAFE, 'For the client and a stranger, azp right: the stranger is not trusted. '
      'Core 3.1.3.7 (3).', also=(DONE,), claims=authorized_party)
fault('azp-wrong', UNSAFE, 'For the client alone, azp a stranger. Core 3.1.3.7 (5).', claims=put(azp='stranger'))
fault('missing-iat', UNSAFE, 'No iat. Core 2.', claims=leave_out('iat'))
fault('missing-exp', UNSAFE, 'No exp. Core 2.', claims=leave_out('exp'))
fault('expired', UNSAFE, 'Expired a day ago. Core 3.1.3.7 (9).', claims=moved('exp', -DAY))
fault('exp-string', UNSAFE, 'exp is a string. RFC 7519, 2: a number.',
      claims=lambda claims, x: claims.update(exp=str(claims['exp'])))
fault('iat-in-the-future', UNSAFE, 'Made tomorrow. Core 3.1.3.7 (10).', claims=moved('iat', DAY))
fault('iat-long-ago', UNSAFE, 'Made a week ago, and still in time. Core 3.1.3.7 (10): may be refused.', also=(DONE,),
      claims=moved('iat', -7 * DAY))
fault('nbf-in-the-future', UNSAFE, 'Not good before tomorrow. RFC 7519, 4.1.5.', claims=moved('nbf', DAY))
fault('at-hash-wrong', UNSAFE, 'at_hash of another access token. Core 3.1.3.8.',
      claims=put(at_hash='AAAAAAAAAAAAAAAAAAAAAA'))
fault('at-hash-missing', DONE, 'No at_hash. Core 3.1.3.6: optional here.', claims=leave_out('at_hash'))
fault('auth-time-missing-with-max-age', UNSAFE, 'No auth_time, though max_age was sent. Core 2; 3.1.3.7 (13).',
      login=WITH_MAX_AGE, claims=leave_out('auth_time'))
fault('auth-time-too-old-with-max-age', UNSAFE, 'Signed in a day ago, max_age was less. Core 3.1.3.7 (13).',
      login=WITH_MAX_AGE, claims=moved('auth_time', -DAY))
fault('auth-time-missing', DONE, 'No auth_time, and no max_age was sent. Core 2: optional then.',
      claims=leave_out('auth_time'))
fault('acr-missing', DONE, 'No acr. Core 3.1.2.1: acr_values is a wish; only an essential claim is more.',
      claims=leave_out('acr'))

# Clock, Date field, iat, exp and auth_time agree with one another, and are all wrong. RFC 9110, 6.6.1.
fault('clock-ahead-1h', DONE, 'The provider\'s clock is an hour ahead, Date field included. Core 3.1.3.7 (9, 10).',
      clock=3600)
fault('clock-behind-1h', DONE, 'The provider\'s clock is an hour behind, Date field included. Core 3.1.3.7 (9, 10).',
      clock=-3600)
