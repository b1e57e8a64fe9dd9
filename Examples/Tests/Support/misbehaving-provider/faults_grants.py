"""Faults of the device grant, of pushed requests, of registration and of DPoP."""
import endpoints_device
import faults_answers as answers
from faults import CANCELLED, DONE, FAILED, UNREACHABLE, UNSAFE, fault

SCRIPT = 'javascript:alert(1)'


def device(name, expect, description, **more):
    fault(f'device-{name}', expect, description, login=('--device',), **more)


def too_fast_once(_, x):
    """The interval grows by five seconds, as a correct provider counts it from now on."""
    if x.device.polls == 1:
        endpoints_device.slow_down(x.device)


def without_interval(content, x):
    """Five seconds are then agreed on, and held to."""
    x.device.interval = 5
    content.pop('interval')


def put(**members):
    return lambda content, x: content.update(members)


def hostile_uri(content, x):
    for name in ('verification_uri', 'verification_uri_complete'):
        content[name] += answers.HOSTILE


device('slow-down', DONE, 'The first poll is called too fast: five seconds more from then on. RFC 8628, 3.5.',
       poll=too_fast_once)
device('expired', FAILED, 'expired_token. RFC 8628, 3.5.', poll=lambda _, x: 'expired_token')
device('denied', CANCELLED, 'access_denied: the person said no. RFC 8628, 3.5.', also=(FAILED,),
       poll=lambda _, x: 'access_denied')
device('interval-missing', DONE, 'No interval: five seconds are agreed on. RFC 8628, 3.2.', device=without_interval)
device('verification-uri-hostile', UNSAFE, 'Escape sequences in both addresses: never to be printed. RFC 8628, 3.2; '
       'RFC 3986, 2.', also=(FAILED,), device=hostile_uri)
device('verification-uri-script', UNSAFE, 'The address is javascript: never to be opened. RFC 8628, 3.2.',
       also=(FAILED,), device=put(verification_uri=SCRIPT, verification_uri_complete=SCRIPT))
device('user-code-hostile', UNSAFE, 'Escape sequences in the user code: never to be printed. RFC 8628, 3.2, 6.1.',
       also=(DONE, FAILED), waits=True, device=lambda content, x: content.update(
           user_code=content['user_code'] + '\x1b[2J'))
device('poll-reset', DONE, 'The connection of the first poll is reset: a slower next one. RFC 8628, 3.5.',
       also=(UNREACHABLE,), instead_poll=lambda _, x: answers.reset(_, x) if _first(x) else None)
device('authorization-404', UNREACHABLE, 'The device endpoint is not there. RFC 8628, 3.1.', also=(FAILED, UNSAFE),
       instead_device=answers.not_found)


def _first(x):
    """Whether this is the first time since the fault was set."""
    return x.provider.memory.setdefault('first', x.request) is x.request


fault('par-missing-request-uri', UNSAFE, 'The answer to a pushed request has no request_uri. RFC 9126, 2.2.',
      also=(FAILED, UNREACHABLE), login=('--par',), par=lambda content, x: content.pop('request_uri'))
fault('par-500', UNREACHABLE, 'The endpoint fails: the request is not sent openly instead. RFC 9126, 2.3.',
      also=(FAILED,), login=('--par',), instead_par=answers.failing)
fault('par-refused', FAILED, 'invalid_request: the pushed request is refused. RFC 9126, 2.3.', login=('--par',),
      instead_par=answers.says('invalid_request', 'Not this one.'))
fault('par-redirect-307', UNSAFE, 'Sends the pushed request to another origin. RFC 9126, 2.2.',
      also=(FAILED, UNREACHABLE), login=('--par',), instead_par=answers.elsewhere(307))

fault('registration-refused', FAILED, 'invalid_redirect_uri. RFC 7591, 3.2.2.', login=('--client-id', ''),
      client='dynamic', instead_registration=answers.says('invalid_redirect_uri', 'Not this one.'))
fault('registration-missing-client-id', UNSAFE, '201 without client_id. RFC 7591, 3.2.1.', also=(FAILED,),
      login=('--client-id', ''), client='dynamic', after_registration=answers.without_member('client_id'))

fault('dpop-nonce-loop', FAILED, 'Asks for a nonce for ever: one more try, no loop. RFC 9449, 8.',
      also=(UNREACHABLE, UNSAFE), login=('--dpop',), dpop_nonce=lambda _, x: True)
fault('dpop-token-type-bearer', UNSAFE, 'A Bearer token for a request with a proof: not bound. RFC 9449, 5.',
      also=(FAILED,), login=('--dpop',), token_answer=put(token_type='Bearer'))
