"""A request as it came, and the answer to it."""
import json
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode, urlsplit

NO_STORE = {'Cache-Control': 'no-store', 'Pragma': 'no-cache'}


class OAuthError(Exception):
    """An error that is answered as JSON. RFC 6749, 5.2."""

    def __init__(self, code, description, status=400, headers=None):
        super().__init__(code)
        self.code, self.description, self.status, self.headers = code, description, status, headers or {}

    @property
    def answer(self):
        content = {'error': self.code, 'error_description': self.description}
        return json_answer(content, self.status, {**NO_STORE, **self.headers})


@dataclass
class Answer:
    status: int
    body: bytes = b''
    headers: dict = field(default_factory=dict)
    # How it is sent: `whole`, `endless` (the body again and again), `slow` (a byte now and then, and never all),
    # `drop` (the connection ends without a byte), `reset` (the same, by a TCP reset).
    manner: str = 'whole'


def json_answer(content, status=200, headers=None):
    return Answer(status, json.dumps(content).encode(), {'Content-Type': 'application/json', **(headers or {})})


def page(text, status=200, headers=None):
    body = f'<!doctype html><meta charset="utf-8"><title>Provider</title><p>{text}</p>'
    return Answer(status, body.encode(), {'Content-Type': 'text/html; charset=utf-8', **(headers or {})})


def redirect(address, status=302):
    return Answer(status, headers={'Location': address, 'Cache-Control': 'no-store'})


def with_parameters(address, pairs):
    """An address with more in its query; what it has stays. RFC 6749, 3.1.2."""
    if not pairs:
        return address
    return address + ('&' if urlsplit(address).query else '?') + urlencode(pairs)


class Parameters:
    """Names and values; none twice. RFC 6749, 3.1 and 3.2."""

    def __init__(self, pairs):
        self.pairs = pairs

    def __getitem__(self, name):
        """The value, or nil: one without a value is treated as if it were left out."""
        values = [value for key, value in self.pairs if key == name]
        if len(values) > 1:
            raise OAuthError('invalid_request', f'{name} is there more than once')
        return values[0] or None if values else None

    def required(self, name):
        value = self[name]
        if value is None:
            raise OAuthError('invalid_request', f'{name} is missing')
        return value

    def refuse_repeated(self):
        for name in self.names:
            self[name]

    @property
    def names(self):
        return [name for name, _ in self.pairs]


class Request:
    def __init__(self, method, target, headers, body):
        parts = urlsplit(target)
        self.method, self.path, self.headers, self.body = method, parts.path, headers, body
        self.content_type = headers.get('Content-Type', '').partition(';')[0].strip().lower()
        self.query = Parameters(parse_qsl(parts.query, keep_blank_values=True))
        is_form = self.content_type == 'application/x-www-form-urlencoded'
        text = body.decode('utf-8', 'replace') if is_form else ''
        self.form = Parameters(parse_qsl(text, keep_blank_values=True))
        # What the endpoints find out, for the log.
        self.client_id = self.client_auth = None

    @property
    def parameters(self):
        """Those of an endpoint that takes both methods."""
        return self.form if self.method == 'POST' else self.query

    @property
    def authorization(self):
        """Scheme and credentials of the Authorization field, or nil twice."""
        fields = self.headers.get_all('Authorization', [])
        if not fields:
            return None, None
        if len(fields) > 1:
            raise OAuthError('invalid_request', 'Authorization is there more than once')
        scheme, _, credentials = fields[0].partition(' ')
        return scheme, credentials.strip()
