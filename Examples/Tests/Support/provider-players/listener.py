"""HTTPS: finds the endpoint of an address, and writes responses and the log. Reads as the misbehaving provider does."""
import json
import re
import traceback
from urllib.parse import parse_qsl, urlsplit

import authorization
import devices
import granting
import resources
import server
from endpoints_registration import register
from exchange import OAuthError, Request, page

# The endpoints by their names in the metadata: methods and function.
ENDPOINTS = {
    'authorization_endpoint': ('GET POST', authorization.authorize),
    'token_endpoint': ('POST', granting.token),
    'device_authorization_endpoint': ('POST', devices.start),
    'revocation_endpoint': ('POST', resources.revoke),
    'userinfo_endpoint': ('GET POST', resources.userinfo),
    'jwks_uri': ('GET', resources.keys),
    'end_session_endpoint': ('GET POST', resources.end_session),
    'registration_endpoint': ('POST', register),
}
SECRETS = server.SECRETS | {'id_token_hint', 'client_assertion', 'subject_token', 'password'}


class Listener(server.Server):
    def __init__(self, player, context):
        # Not the provider's own, which listens in plain HTTP and names its issuer after that.
        super(server.Server, self).__init__(('127.0.0.1', 443), Handler)
        self.provider, self.stopping, self.context = player, None, context
        self.routes = routes(player)

    def get_request(self):
        connection, address = super().get_request()
        # The handshake follows with the first byte that is read: in the connection's own thread.
        connection.settimeout(Handler.timeout)
        return self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address


class Handler(server.Handler):
    server_version = 'player'

    def respond(self):
        body = self.body()
        if body is None:
            self.close_connection = True
            return self.write(page('A length of 1 MB or less is needed.', 411))
        player = self.server.provider
        request = Request(self.command, self.path, self.headers, body)
        request.host = self.headers.get('Host', '').partition(':')[0].lower()
        with player.lock:
            player.host = request.host
            answer = answered(player, self.server.routes, request)
            note(player, request, answer)
        self.write(answer)


def routes(player):
    """Host, pattern of the path, methods, function."""
    # The player's own come first: they may replace an endpoint.
    found = player.extra_routes()
    found += [(url, *ENDPOINTS[name]) for name, url in player.endpoints.items() if name in ENDPOINTS]
    if player.device_page:
        found.append((player.device_page, 'GET', devices.show_page))
    return [(urlsplit(url).hostname, _pattern(urlsplit(url).path), methods, function)
            for url, methods, function in found]


def _pattern(path):
    return re.compile(re.sub(r'\\{(\w+)\\}', r'(?P<\1>[^/]+)', re.escape(path)))


def answered(player, routes, request):
    found = [(route, match) for route in routes
             if route[0] == request.host and (match := route[1].fullmatch(request.path))]
    if not found:
        return page('There is nothing here.', 404)
    (_, _, methods, function), match = found[0]
    if request.method not in methods.split():
        return page('Not with this method.', 405, {'Allow': methods.replace(' ', ', ')})
    request.place = match.groupdict()
    try:
        return function(player, request)
    except OAuthError as error:
        return player.error_answer(error, request)
    except Exception:
        # A mistake of the player's own.
        traceback.print_exc()
        return page('The player itself has a bug; see its standard error.', 500)


def note(player, request, answer):
    """One entry of the log: the values of nothing that is secret."""
    pairs = [*request.query.pairs, *request.form.pairs]
    for name, value in pairs:
        if name in SECRETS:
            player.record.keep(name, value)
    scheme, _, credentials = request.headers.get('Authorization', '').partition(' ')
    player.record.keep('credentials', credentials)
    player.record.log.append({
        'host': request.host, 'method': request.method, 'path': request.path,
        'parameters': {name: value for name, value in pairs if name not in SECRETS},
        'secrets': sorted({name for name, _ in pairs if name in SECRETS}),
        'authorization_scheme': scheme or None, 'client_id': request.client_id, 'client_auth': request.client_auth,
        'dpop': 'DPoP' in request.headers, 'status': answer.status, 'error': error_of(answer)})


def error_of(answer):
    """The error code that a response tells, in its own way."""
    if hasattr(answer, 'error'):
        return answer.error
    location = answer.headers.get('Location')
    if location:
        return dict(parse_qsl(urlsplit(location).query)).get('error')
    text = answer.body.decode('utf-8', 'replace')
    if 'urlencoded' in answer.headers.get('Content-Type', ''):
        return dict(parse_qsl(text)).get('error')
    try:
        content = json.loads(text)
    except ValueError:
        return None
    error = content.get('error') if isinstance(content, dict) else None
    return error.get('code') or error.get('status') if isinstance(error, dict) else error
