"""An MCP server and its authorization server: OAuth 2.1 with RFC 8414, RFC 8707, RFC 9728 and RFC 7591."""
import json
from dataclasses import dataclass

import base
import resources
from base import CODE, REFRESH, Client
from endpoints_registration import register
from exchange import Answer, OAuthError, json_answer, page

ISSUER, RESOURCE = 'https://auth.example.com/tenant', 'https://mcp.example.com/mcp'
METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp'
# All the addresses at which clients look: RFC 9728, 3.1 and 5.1; RFC 8414, 3.1 and 5.
METADATA_ADDRESSES = [METADATA, 'https://mcp.example.com/.well-known/oauth-protected-resource',
                      'https://mcp.example.com/metadata']
SERVER = 'https://auth.example.com/.well-known/oauth-authorization-server/tenant'
SERVER_ADDRESSES = [SERVER, 'https://auth.example.com/.well-known/openid-configuration/tenant',
                    ISSUER + '/.well-known/openid-configuration']


@dataclass
class Settings(base.Settings):
    # Whether clients may register themselves.
    registration: bool = True
    # Whether responses have `iss`. RFC 9207.
    names_itself: bool = True
    # Whether the challenge names the address of the API's document, and its scopes.
    challenge: bool = True
    challenge_scope: str = ''
    # Whether the API answers a GET without a token.
    get: bool = True
    # The addresses of both documents. At the other ones is a page, with this status.
    resource_metadata: str = METADATA
    server_metadata: str = SERVER
    elsewhere: int = 404
    # The API and the issuer as the documents spell them.
    resource: str = RESOURCE
    named_issuer: str = ISSUER
    # Whether a client may be the address of its metadata.
    client_documents: bool = False
    # A scope that the API demands.
    needed_scope: str = ''


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
            'issuer': self.settings.named_issuer,
            'client_id_metadata_document_supported': self.settings.client_documents,
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
        return {'desktop': Client('c7d8e9f0-mcp-cli', redirect_uris=[self.redirect]),
                # As if the document had been fetched.
                'document': Client('https://app.example.com/client.json', redirect_uris=[self.redirect])}

    def authorizing_client(self, request, parameters):
        client = super().authorizing_client(request, parameters)
        if client.id.startswith('https:') and not self.settings.client_documents:
            raise self.fail('unknown_client')
        return client

    @property
    def place(self):
        place = super().place
        # An empty ID registers a client.
        place['clients']['dynamic'] = {'client_id': ''}
        return {**place, 'resource': RESOURCE, 'resource_metadata': METADATA}

    def extra_routes(self):
        return [*((address, 'GET', at(address)) for address in METADATA_ADDRESSES + SERVER_ADDRESSES),
                (RESOURCE, 'GET POST', mcp), (self.endpoints['registration_endpoint'], 'POST', registered)]

    def headers_of(self, reason):
        if reason == 'bad_token':
            settings = self.settings
            named = [('resource_metadata', settings.resource_metadata)] if settings.challenge else []
            named += [('scope', settings.challenge_scope)] if settings.challenge_scope else []
            return {'WWW-Authenticate': ' '.join(['Bearer', ', '.join(f'{name}="{value}"' for name, value in named)])}
        return super().headers_of(reason)

    def check_target(self, parameters):
        if parameters['resource'] != self.settings.resource:
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


def at(address):
    """What is at one of the addresses."""
    def answer(player, request):
        if address == player.settings.resource_metadata:
            return resource_metadata(player, request)
        if address == player.settings.server_metadata:
            return resources.discovery(player, request)
        return page('Nothing here.', player.settings.elsewhere)
    return answer


def resource_metadata(player, request):
    """RFC 9728, 2."""
    return json_answer({'resource': player.settings.resource, 'authorization_servers': [ISSUER], 'scopes_supported': player.scopes,
                        'bearer_methods_supported': ['header'], 'resource_name': 'Jobs'})


def mcp(player, request):
    if request.method == 'GET' and not player.settings.get:
        return Answer(405, headers={'Allow': 'POST'})
    held, needed = resources.bearer(player, request, RESOURCE), player.settings.needed_scope
    if needed and needed not in held.scope.split():
        challenge = f'Bearer error="insufficient_scope", scope="{needed}", resource_metadata="{METADATA}"'
        raise OAuthError('insufficient_scope', 'The scope is missing.', 403, {'WWW-Authenticate': challenge})
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
