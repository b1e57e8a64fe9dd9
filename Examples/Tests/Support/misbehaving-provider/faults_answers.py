"""Whole answers that are wrong, at any endpoint."""
import json

from exchange import Answer, OAuthError, page, redirect

HTML = '<h1>Welcome to the guest network</h1> Press Continue to go online.'


def html(_, x):
    """What a captive portal says, with 200."""
    return page(HTML)


def not_found(_, x):
    return page('There is nothing here.', 404)


def failing(_, x):
    return page('Something broke.', 500)


def unavailable(_, x):
    return page('Down for maintenance.', 503)


def too_many(_, x):
    return Answer(429, b'{"error":"temporarily_unavailable"}',
                  {'Content-Type': 'application/json', 'Retry-After': '7', 'Cache-Control': 'no-store'})


def endless(beginning):
    return lambda _, x: Answer(200, beginning.encode(), {'Content-Type': 'application/json'}, 'endless')


def slow(answer, x):
    """The right answer, two bytes a second: no read times out, the whole must."""
    answer.manner = 'slow'


def reset(_, x):
    return Answer(0, manner='reset')


def drop(answer, x):
    return Answer(0, manner='drop')


def elsewhere(status):
    """Sends to the same path of another origin, where an honest provider listens."""
    return lambda _, x: redirect(x.provider.other.address(x.request.path), status)


def says(code, description, status=400, headers=None):
    return lambda _, x: OAuthError(code, description, status, headers).answer


def with_body(body, status=200, content_type='application/json'):
    return lambda _, x: Answer(status, body.encode(), {'Content-Type': content_type, 'Cache-Control': 'no-store'})


# Codes that clear the screen and name the window, a bell, backspaces, a line as if of the tool's own, marks that turn
# text round, and CSI as one character.
HOSTILE = '\x1b[2J\x1b]0;owned\x07\x08\x08\r\nSigned in.\n\u202egnol\u202c \x9b31m'


def another_state(answer, x):
    """The same way back, with a state that nobody sent."""
    if 'Location' in answer.headers:
        address = answer.headers['Location'].partition('?')[0]
        answer.headers['Location'] = f'{address}?state=another-state-than-was-sent'


def without_member(name):
    def deed(answer, x):
        content = json.loads(answer.body)
        content.pop(name, None)
        answer.body = json.dumps(content).encode()
    return deed
