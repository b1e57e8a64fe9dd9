"""Faults of the token answer at sign-in."""
import json

import faults_answers as answers
from exchange import NO_STORE
from faults import DONE, FAILED, UNREACHABLE, UNSAFE, fault

BASIC = {'WWW-Authenticate': 'Basic realm="provider"', **NO_STORE}
REFUSAL = json.dumps({'error': 'invalid_grant', 'error_description': 'The code has expired.'})


def put(**members):
    return lambda answer, x: answer.update(members)


def leave_out(name):
    return lambda answer, x: answer.pop(name, None)


def narrower(answer, x):
    answer['scope'] = ' '.join(word for word in answer['scope'].split() if word != 'profile')


fault('id-token-missing', UNSAFE, 'No ID token. Core 3.1.3.3.', also=(FAILED,), token_answer=leave_out('id_token'))
fault('access-token-missing', UNSAFE, 'No access token. RFC 6749, 5.1.', also=(FAILED,),
      token_answer=leave_out('access_token'))
fault('token-type-mac', UNSAFE, 'A token type the client does not know. RFC 6749, 7.1.', also=(FAILED,),
      token_answer=put(token_type='mac'))
fault('token-type-lower-case', DONE, 'bearer in small letters. RFC 6749, 5.1: case does not count.',
      token_answer=put(token_type='bearer'))
fault('token-type-missing', UNSAFE, 'No token type. RFC 6749, 5.1.', also=(FAILED,),
      token_answer=leave_out('token_type'))
fault('expires-in-missing', DONE, 'No expires_in. RFC 6749, 5.1: recommended only.',
      token_answer=leave_out('expires_in'))
fault('expires-in-string', DONE, 'expires_in is a string. RFC 6749, A.14: a number; some providers differ.',
      also=(FAILED, UNSAFE), token_answer=put(expires_in='3600'))
fault('expires-in-negative', UNSAFE, 'expires_in is -1. RFC 6749, A.14: digits only.', also=(DONE, FAILED),
      token_answer=put(expires_in=-1))
fault('expires-in-fraction', DONE, 'expires_in is 3599.5. RFC 6749, A.14: digits only.', also=(FAILED, UNSAFE),
      token_answer=put(expires_in=3599.5))
fault('expires-in-enormous', DONE, 'expires_in is 10 to the 30th. No crash. RFC 6749, A.14.', also=(FAILED, UNSAFE),
      token_answer=put(expires_in=10**30))
fault('scope-missing', DONE, 'No scope. RFC 6749, 5.1: then it is the one asked for.', token_answer=leave_out('scope'))
fault('scope-narrower', DONE, 'Less scope than asked for. RFC 6749, 3.3.', token_answer=narrower)
fault('refresh-token-missing', DONE, 'No refresh token. RFC 6749, 5.1: optional.',
      token_answer=leave_out('refresh_token'))
fault('token-answer-unknown-members', DONE, 'Members nobody knows. RFC 6749, 5.1: ignored.',
      token_answer=put(ext_expires_in=7200, x_list=[None], session_state='a.b'))

fault('token-answer-html', UNSAFE, 'HTML with 200. RFC 6749, 5.1.', also=(UNREACHABLE,), instead_token=answers.html)
fault('token-answer-not-an-object', UNSAFE, 'A JSON list. RFC 6749, 5.1.', also=(UNREACHABLE, FAILED),
      instead_token=answers.with_body('["access_token"]'))
fault('token-answer-empty', UNSAFE, '200 and no body. RFC 6749, 5.1.', also=(UNREACHABLE, FAILED),
      instead_token=answers.with_body(''))
fault('token-answer-huge', UNSAFE, 'The answer never ends. RFC 6749, 5.1.', also=(UNREACHABLE,),
      instead_token=answers.endless('{"token_type":"Bearer","access_token":"'))
fault('token-answer-slow', UNREACHABLE, 'Two bytes of the answer a second. RFC 6749, 5.1.', after_token=answers.slow)
fault('token-redirect-307', UNSAFE, 'Sends the code on to another origin. RFC 9700, 4.12: it must not arrive there.',
      also=(FAILED, UNREACHABLE), instead_token=answers.elsewhere(307))
fault('token-401-invalid-client', FAILED, 'invalid_client with 401. RFC 6749, 5.2.',
      instead_token=answers.says('invalid_client', 'Unknown client.', 401, BASIC))
fault('token-400-text-plain-json', FAILED, 'A right error, called text/plain. RFC 6749, 5.2.',
      instead_token=answers.with_body(REFUSAL, 400, 'text/plain'))
fault('token-error-description-hostile', FAILED, 'The description has control characters and escape sequences, and is '
      'long. RFC 6749, 5.2.', instead_token=answers.says('invalid_grant', answers.HOSTILE + 'A' * 20_000))
fault('token-500', UNREACHABLE, 'The token endpoint fails. RFC 9110, 15.6.1.', also=(FAILED,),
      instead_token=answers.failing)
fault('token-429-retry-after', UNREACHABLE, 'Too many requests, try again in 7 s. RFC 6585, 4.', also=(FAILED,),
      instead_token=answers.too_many)
fault('token-reset', UNREACHABLE, 'The connection is reset without an answer. RFC 9110, 9.2.2: a POST is not repeated.',
      instead_token=answers.reset)
