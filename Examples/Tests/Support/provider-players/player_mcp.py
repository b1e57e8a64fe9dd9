"""An MCP server and its authorization server: OAuth 2.1 with RFC 8414, RFC 8707, RFC 9728 and RFC 7591."""
import json
from dataclasses import dataclass

import base
import resources
from base import CODE, REFRESH, Client
from endpoints_registration import register
from exchange import OAuthError, json_answer

ISSUER, RESOURCE = 'https://auth.example.com/tenant', 'https://mcp.example.com/mcp'
METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp'


@dataclass
class Settings(base.Settings):
    # Whether clients may register themselves.
    registration: bool = True
    # Whether responses have `iss`. RFC 9207.
    names_itself: bool = True


class Player(base.Player):
    issuer = ISSUER
    hosts = ['auth.example.com', 'mcp.example.com']
    endpoints = {
        'authorization_endpoint': ISSUER + '/authorize',
        'token_endpoint': ISSUER + '/token',
        'registration_endpoint': ISSUER + '/register',
        'revocation_endpoint': ISSUER + '/revoke',
    }
    scopes = ['jobs:read', 'jobs:write']
    scope_required = False
    errors = {'bad_target': ('invalid_target', 'The parameter resource is missing or unknown.', 400),
              'closed': ('access_denied', 'Registration is closed.', 403)}
    api, redirect = RESOURCE, 'http://127.0.0.1/callback'
    Settings = Settings

    @property
    def metadata(self):
        return {
            'scopes_supported': self.scopes,
            'response_types_supported': ['code'],
            'response_modes_supported': ['query'],
            'grant_types_supported': [CODE, REFRESH],
            'token_endpoint_auth_methods_supported': ['none'],
            'revocation_endpoint_auth_methods_supported': ['none'],
            'code_challenge_methods_supported': ['S256'],
            'authorization_response_iss_parameter_supported': self.settings.names_itself,
        }

    def make_clients(self):
        return {'desktop': Client('c7d8e9f0-mcp-cli', redirect_uris=[self.redirect])}

    @property
    def place(self):
        place = super().place
        # An empty ID registers a client.
        place['clients']['dynamic'] = {'client_id': ''}
        return {**place, 'resource': RESOURCE, 'resource_metadata': METADATA}

    def extra_routes(self):
        return [('https://auth.example.com/.well-known/oauth-authorization-server/tenant', 'GET', resources.discovery),
                (METADATA, 'GET', resource_metadata), (RESOURCE, 'GET POST', mcp),
                (self.endpoints['registration_endpoint'], 'POST', registered)]

    def headers_of(self, reason):
        if reason == 'bad_token':
            return {'WWW-Authenticate': f'Bearer resource_metadata="{METADATA}"'}
        return super().headers_of(reason)

    def check_target(self, parameters):
        if parameters['resource'] != RESOURCE:
            raise self.fail('bad_target')

    def granted(self, client, words, parameters):
        return super().granted(client, words or self.scopes[:1], parameters)

    def authorized(self, family, request, parameters):
        self.check_target(parameters)

    def check_code(self, request, code):
        self.check_target(request.form)

    def check_refresh(self, request, family):
        self.check_target(request.form)

    def callback(self, family, code, parameters):
        return super().callback(family, code, parameters) + self.named

    def refused_callback(self, error, parameters):
        return super().refused_callback(error, parameters) + self.named

    @property
    def named(self):
        return [('iss', ISSUER)] if self.settings.names_itself else []

    def gives_refresh_token(self, family, refreshing):
        return True

    def token_audience(self, family, scope):
        return RESOURCE


def resource_metadata(player, request):
    """RFC 9728, 2."""
    return json_answer({'resource': RESOURCE, 'authorization_servers': [ISSUER], 'scopes_supported': player.scopes,
                        'bearer_methods_supported': ['header'], 'resource_name': 'Jobs'})


def mcp(player, request):
    held = resources.bearer(player, request, RESOURCE)
    return json_answer({'jobs': ['build', 'deploy'], 'user': player.user['sub'], 'scope': held.scope})


def registered(player, request):
    """RFC 7591. Public clients alone, so the method must be said: the default is a secret."""
    if not player.settings.registration:
        raise player.fail('closed')
    try:
        method = json.loads(request.body).get('token_endpoint_auth_method')
    except (ValueError, AttributeError):
        method = None
    if method != 'none':
        raise OAuthError('invalid_client_metadata', 'token_endpoint_auth_method must be none.')
    return register(player, request)
