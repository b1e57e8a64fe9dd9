"""A small HTTP client that also sees how an answer goes wrong."""
import http.client
import json
import time
from urllib.parse import parse_qsl, urlencode, urlsplit

LONGEST, PATIENCE = 300_000, 0.8


class Reply:
    """An answer. `manner`: whole, endless, slow, reset, drop."""

    def __init__(self, manner, status=None, headers=None, body=b''):
        self.manner, self.status, self.headers, self.body = manner, status, headers or {}, body

    @property
    def type(self):
        return self.headers.get('Content-Type', '').partition(';')[0]

    @property
    def json(self):
        """The object, or an empty one."""
        try:
            content = json.loads(self.body)
        except ValueError:
            return {}
        return content if isinstance(content, dict) else {}

    @property
    def location(self):
        """What a redirect's query has."""
        return parse_qsl(urlsplit(self.headers.get('Location', '')).query, keep_blank_values=True)


def send(method, address, form=None, content=None, headers=None):
    """One request; redirects are not followed."""
    parts = urlsplit(address)
    headers, body = dict(headers or {}), None
    if form is not None:
        headers['Content-Type'], body = 'application/x-www-form-urlencoded', urlencode(form)
    if content is not None:
        headers['Content-Type'], body = 'application/json', json.dumps(content)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
    try:
        connection.request(method, parts._replace(scheme='', netloc='').geturl(), body, headers)
        response = connection.getresponse()
        return read(response)
    except http.client.RemoteDisconnected:
        return Reply('drop')
    except ConnectionResetError:
        return Reply('reset')
    finally:
        connection.close()


def read(response):
    body, until, manner = b'', time.monotonic() + PATIENCE, 'whole'
    while data := response.read1(65_536):
        body += data
        if len(body) > LONGEST:
            manner = 'endless'
            break
        if time.monotonic() > until:
            manner = 'slow'
            break
    return Reply(manner, response.status, response.headers, body)
