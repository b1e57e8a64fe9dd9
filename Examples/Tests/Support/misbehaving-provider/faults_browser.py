"""Faults of the authorization response, which comes through the browser."""
import faults_answers as answers
from exchange import redirect, with_parameters
from faults import CANCELLED, DONE, FAILED, UNSAFE, fault


def put(name, value):
    """Sets a parameter."""
    def deed(pairs, x):
        pairs[:] = [(key, value if key == name else old) for key, old in pairs]
    return deed


def leave_out(name):
    def deed(pairs, x):
        pairs[:] = [pair for pair in pairs if pair[0] != name]
    return deed


def refuse(code, description):
    """An error in place of the code. RFC 6749, 4.1.2.1."""
    def deed(pairs, x):
        pairs[:1] = [('error', code), ('error_description', description)]
    return deed


def code_twice(pairs, x):
    pairs.insert(1, ('code', x.provider.secret('code')))


def error_too(pairs, x):
    pairs.insert(0, ('error', 'server_error'))


def access_token_too(pairs, x):
    pairs += [('access_token', x.provider.secret('access_token')), ('token_type', 'Bearer')]


def honest_one(_, x):
    """The browser is sent on to an honest provider, which answers in its own name. RFC 9700, 4.4."""
    return redirect(with_parameters(x.provider.other.address('/authorize'), x.request.parameters.pairs))


fault('state-wrong', UNSAFE, 'Another state than was sent. RFC 6749, 10.12; the listener may wait on.',
      also=(FAILED,), waits=True, callback=put('state', 'another-state-than-was-sent'))
fault('state-missing', UNSAFE, 'No state. RFC 6749, 4.1.2; the listener may wait on.', also=(FAILED,), waits=True,
      callback=leave_out('state'))
fault('iss-wrong', UNSAFE, 'iss names another issuer. RFC 9207, 2.4.', callback=put('iss', 'https://provider.example'))
fault('iss-missing', UNSAFE, 'No iss, though advertised as supported. RFC 9207, 2.4.', callback=leave_out('iss'))
fault('mix-up', UNSAFE, 'Code and iss are another, honest provider\'s: the code must not be sent here. RFC 9700, 4.4.',
      instead_authorization=honest_one)
fault('error-access-denied', CANCELLED, 'access_denied: the person said no. RFC 6749, 4.1.2.1.', also=(FAILED,),
      callback=refuse('access_denied', 'The person said no.'))
fault('error-login-required', FAILED, 'login_required. Core 3.1.2.6.',
      callback=refuse('login_required', 'Nobody is signed in.'))
fault('error-description-hostile', FAILED, 'The description has control characters, escape sequences and 3,000 '
      'letters. RFC 6749, 4.1.2.1 allows no controls.', also=(UNSAFE,),
      callback=refuse('server_error', answers.HOSTILE + 'A' * 3000))
fault('error-code-hostile', FAILED, 'The error code itself has escape sequences. RFC 6749, 4.1.2.1.', also=(UNSAFE,),
      callback=refuse(answers.HOSTILE, 'Read the code.'))
fault('error-and-code', UNSAFE, 'Error and code in one response. RFC 6749, 4.1.2.1.', also=(FAILED,),
      callback=error_too)
fault('code-duplicated', UNSAFE, 'Two codes. RFC 6749, 3.1: no parameter twice.', callback=code_twice)
fault('code-missing', UNSAFE, 'Neither code nor error. RFC 6749, 4.1.2.', also=(FAILED,), callback=leave_out('code'))
fault('code-empty', UNSAFE, 'The code is empty. RFC 6749, 3.1: as if it were left out.', also=(FAILED,),
      callback=put('code', ''))
fault('callback-with-access-token', DONE, 'An access token beside the code: not to be used. RFC 6749, 4.1.2: what is '
      'not known is ignored; RFC 9700, 2.1.2.', also=(UNSAFE,), callback=access_token_too)
fault('callback-unknown-parameters', DONE, 'Parameters nobody knows, as session_state. RFC 6749, 4.1.2: ignored.',
      callback=lambda pairs, x: pairs.extend([('session_state', 'a.b'), ('x', '')]))
