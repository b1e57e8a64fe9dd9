"""Faults that show once somebody is signed in: userinfo, refresh, sign-out."""
import faults_answers as answers
from faults import DONE, ENDED, FAILED, UNREACHABLE, UNSAFE, fault
from jose import BrokenKey


def userinfo(name, expect, description, **more):
    fault(f'userinfo-{name}', expect, description, command='userinfo', **more)


def refresh(name, expect, description, **more):
    fault(f'refresh-{name}', expect, description, command='refresh', **more)


def put(**members):
    return lambda claims, x: claims.update(members)


def leave_out(name):
    return lambda claims, x: claims.pop(name, None)


def broken(job, x):
    job.key = BrokenKey(job.key)


def signed(by_stranger=False, **members):
    def deed(job, x):
        job.is_signed = True
        job.claims.update(members)
        if by_stranger:
            job.key = x.provider.keys.other('stranger')
    return deed


userinfo('invalid-sub', UNSAFE, 'Another subject than the ID token\'s. Core 5.3.2, 5.3.4.',
         userinfo=put(sub='stranger'))
userinfo('missing-sub', UNSAFE, 'No subject. Core 5.3.2.', userinfo=leave_out('sub'))
userinfo('signed', DONE, 'A signed answer, application/jwt. Core 5.3.2.', userinfo_signing=signed())
userinfo('signed-wrong-key', UNSAFE, 'Signed with a stranger\'s key under the right kid. Core 5.3.2, 5.3.4.',
         userinfo_signing=signed(by_stranger=True))
userinfo('signed-wrong-iss', UNSAFE, 'Signed, with another issuer. Core 5.3.2.',
         userinfo_signing=signed(iss='https://provider.example'))
userinfo('signed-wrong-aud', UNSAFE, 'Signed, for another client. Core 5.3.2.', userinfo_signing=signed(aud='stranger'))
userinfo('signed-wrong-sub', UNSAFE, 'Signed, with another subject. Core 5.3.2.',
         userinfo_signing=signed(sub='stranger'))
userinfo('long-name', DONE, 'A name of 160 KB of combining marks, which take seconds to compare. UAX #15, 13.',
         userinfo=put(name='a' + '\u0301\u0316' * 40_000))
userinfo('html', UNSAFE, 'HTML with 200. Core 5.3.2.', also=(UNREACHABLE, FAILED), instead_userinfo=answers.html)
userinfo('401', FAILED, 'Refuses every token: one refresh, one more try, no loop. RFC 6750, 3.1.',
         also=(ENDED, UNSAFE), instead_userinfo=answers.says(
             'invalid_token', 'Refused.', 401, {'WWW-Authenticate': 'Bearer error="invalid_token"'}))
userinfo('403-insufficient-scope', FAILED, 'insufficient_scope: a refresh would not help. RFC 6750, 3.1.',
         instead_userinfo=answers.says('insufficient_scope', 'Refused.', 403,
                                       {'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="more"'}))
userinfo('500', UNREACHABLE, 'The endpoint fails. RFC 9110, 15.6.1.', also=(FAILED,), instead_userinfo=answers.failing)
userinfo('redirect', UNSAFE, 'Sends to another origin: the token must not arrive there. RFC 9700, 4.12.',
         also=(UNREACHABLE, UNSAFE), instead_userinfo=answers.elsewhere(307))

# Values that a shell would execute, and one that looks like an option.
fault('api-step-up', FAILED, 'An API, at the userinfo endpoint, wants another sign-in: a refresh would not help. RFC '
      '9470, 3.', command='api', instead_userinfo=answers.says(
          'insufficient_user_authentication', 'Sign in again.', 401,
          {'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", max_age="300", '
                               'acr_values="phr $(touch${IFS}pwned) `touch${IFS}pwned` ;touch${IFS}pwned; it\'s -h"'}))

refresh('wrong-issuer', UNSAFE, 'The new ID token names another issuer. Core 12.2.',
        refresh_claims=put(iss='https://provider.example'))
refresh('wrong-subject', UNSAFE, 'The new ID token names another person. Core 12.2.',
        refresh_claims=put(sub='stranger'))
refresh('wrong-audience', UNSAFE, 'The new ID token is for another client. Core 12.2.',
        refresh_claims=put(aud='stranger'))
refresh('wrong-nonce', UNSAFE, 'The new ID token has another nonce. Core 12.2: none, or the same.', also=(DONE,),
        refresh_claims=put(nonce='another-nonce'))
refresh('invalid-sig', DONE, 'One bit of the new ID token\'s signature is turned. Core 12.2 and 3.1.3.7 (6): TLS will '
        'do.', also=(UNSAFE,), refresh_signing=broken)
refresh('no-id-token', DONE, 'No ID token. Core 12.2: it may be left out.', refresh_answer=leave_out('id_token'))
refresh('no-refresh-token', DONE, 'No new refresh token: the old one stays good. RFC 6749, 6.',
        rotation=lambda _, x: 'keep')
refresh('token-type-mac', UNSAFE, 'A token type the client does not know. RFC 6749, 7.1.', also=(FAILED,),
        refresh_answer=put(token_type='mac'))
refresh('scope-narrower', DONE, 'Less scope than before: to be reported. RFC 6749, 3.3, 6.',
        refresh_answer=put(scope='openid'))
refresh('invalid-grant', ENDED, 'invalid_grant: the session is over. RFC 6749, 5.2.',
        instead_refresh=answers.says('invalid_grant', 'The session has ended.'))
refresh('invalid-client', FAILED, 'invalid_client: the session stays. RFC 6749, 5.2.',
        instead_refresh=answers.says('invalid_client', 'Unknown client.', 401,
                                     {'WWW-Authenticate': 'Basic realm="provider"'}))
refresh('drop-reply', UNREACHABLE, 'The token is rotated and no answer comes. RFC 9700, 4.14.2: once the fault is '
        'taken away, the old token gets the same answer within the grace window.', after_refresh=answers.drop)
refresh('reset', UNREACHABLE, 'The connection is reset, nothing is rotated. RFC 9110, 9.2.2.',
        instead_refresh=answers.reset)
refresh('500', UNREACHABLE, 'The token endpoint fails: the session stays. RFC 9110, 15.6.1.',
        instead_refresh=answers.failing)
refresh('429-retry-after', UNREACHABLE, 'Too many requests: the session stays. RFC 6585, 4.',
        instead_refresh=answers.too_many)
refresh('html', UNREACHABLE, 'HTML with 200, as of a captive portal: the session stays. RFC 6749, 5.1.',
        also=(UNSAFE,), instead_refresh=answers.html)
refresh('400-html', UNREACHABLE, 'HTML with 400 and no error code: the session stays. RFC 6749, 5.2.',
        also=(FAILED, UNSAFE), instead_refresh=answers.with_body(answers.HTML, 400, 'text/html'))
refresh('huge', UNREACHABLE, 'The answer never ends: the session stays. RFC 6749, 5.1.', also=(UNSAFE,),
        instead_refresh=answers.endless('{"token_type":"Bearer","access_token":"'))
refresh('redirect-307', UNREACHABLE, 'Sends the refresh token on to another origin: it must not arrive there. '
        'RFC 9700, 4.12.', also=(FAILED, UNSAFE), instead_refresh=answers.elsewhere(307))

fault('revocation-503', DONE, 'Revocation is down: the session ends here, and it is tried again. RFC 7009, 2.2.1.',
      command='logout', also=(UNREACHABLE,), instead_revocation=answers.unavailable)
fault('revocation-unsupported-token-type', DONE, 'unsupported_token_type: the session ends here. RFC 7009, 2.2.1.',
      command='logout', also=(FAILED,),
      instead_revocation=answers.says('unsupported_token_type', 'Not this one.'))
fault('end-session-error', DONE, 'An error page in the browser, and no way back: the session ends here. RP-Initiated '
      'Logout 4.', command='logout', also=(FAILED, UNREACHABLE), waits=True, instead_end_session=answers.failing)
fault('end-session-state-wrong', DONE, 'Comes back with another state: the session ends here. RP-Initiated Logout 3.',
      command='logout', also=(FAILED, UNSAFE), waits=True, after_end_session=answers.another_state)
