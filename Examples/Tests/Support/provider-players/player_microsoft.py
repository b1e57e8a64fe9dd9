"""Microsoft. https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow and .../reply-url."""
import hashlib
import time
import uuid
from dataclasses import dataclass
from urllib.parse import urlsplit

import base
import redirects
import resources
from base import GRANTS_WITH_DEVICE, Client
from exchange import NO_STORE, json_answer, page, redirect

LOGIN = 'https://login.microsoftonline.com/{tenant}'
CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
ACME, OTHER = 'f8cdef31-a31e-4b4a-93e4-5f571e91255a', '0b0a8f5e-27c1-4a6e-9c7d-3f1f6d2b8e44'
GRAPH = '00000003-0000-0000-c000-000000000000'
JOBS = 'api://3d1f7a52-6c0e-4f8b-9a41-b7e2c5d80f13'
OF_OPENID = ['openid', 'profile', 'email', 'offline_access']


@dataclass
class Settings(base.Settings):
    # The tenant of the user who is signed in.
    tid: str = ACME


class Player(base.Player):
    issuer = f'https://login.microsoftonline.com/{ACME}/v2.0'
    hosts = ['login.microsoftonline.com', 'graph.microsoft.com', 'microsoft.com', 'api.example.com']
    endpoints = {
        'token_endpoint': LOGIN + '/oauth2/v2.0/token',
        'jwks_uri': LOGIN + '/discovery/v2.0/keys',
        'userinfo_endpoint': 'https://graph.microsoft.com/oidc/userinfo',
        'authorization_endpoint': LOGIN + '/oauth2/v2.0/authorize',
        'device_authorization_endpoint': LOGIN + '/oauth2/v2.0/devicecode',
        'end_session_endpoint': LOGIN + '/oauth2/v2.0/logout',
    }
    # No code_challenge_methods_supported, grant_types_supported or revocation_endpoint, and no method `none`.
    metadata = {
        'token_endpoint_auth_methods_supported': ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
        'response_modes_supported': ['query', 'fragment', 'form_post'],
        'subject_types_supported': ['pairwise'],
        'id_token_signing_alg_values_supported': ['RS256'],
        'response_types_supported': ['code', 'id_token', 'code id_token', 'id_token token'],
        'scopes_supported': OF_OPENID,
        'request_uri_parameter_supported': False,
        'http_logout_supported': True,
        'frontchannel_logout_supported': True,
        'claims_supported': ['sub', 'iss', 'cloud_instance_name', 'cloud_instance_host_name', 'cloud_graph_host_name',
                             'msgraph_host', 'aud', 'exp', 'iat', 'auth_time', 'acr', 'nonce', 'preferred_username',
                             'name', 'tid', 'ver', 'at_hash', 'c_hash', 'email'],
        'tenant_region_scope': None,
        'cloud_instance_name': 'microsoftonline.com',
        'cloud_graph_host_name': 'graph.windows.net',
        'msgraph_host': 'graph.microsoft.com',
        'rbac_url': 'https://pas.windows.net',
    }
    scopes = [*OF_OPENID, 'User.Read', 'https://graph.microsoft.com/User.Read', JOBS + '/jobs.read']
    own_pages = {*base.Player.own_pages, 'bad_tenant', 'bad_user'}
    errors = {
        'unknown_client': ('unauthorized_client', 'AADSTS700016: The application was not found in the directory.', 400),
        'bad_redirect': ('invalid_request', "AADSTS50011: The redirect URI '{address}' specified in the request does "
                         'not match the redirect URIs configured for the application.', 400),
        'bad_tenant': ('invalid_tenant', "AADSTS90002: Tenant '{tenant}' not found.", 400),
        'bad_user': ('access_denied', "AADSTS50020: The user's account does not exist in tenant '{tenant}'.", 400),
        'bad_prompt': ('invalid_request', "AADSTS90023: Unsupported 'prompt' value.", 400),
        'bad_scope': ('invalid_client', "AADSTS650053: The application asked for scope '{scopes}' that doesn't exist "
                      'on the resource.', 400),
        'several_resources': ('invalid_request', 'AADSTS28000: Provided value for the input parameter scope is not '
                              'valid because it contains more than one resource.', 400),
        'denied': ('access_denied', 'AADSTS65004: User declined to consent to access the app.', 400),
        'no_client': ('unauthorized_client', 'AADSTS700016: The application was not found in the directory.', 400),
        'secret_sent': ('invalid_client', "AADSTS700025: Client is public so neither 'client_assertion' nor "
                        "'client_secret' should be presented.", 401),
        'bad_code': ('invalid_grant', 'AADSTS70008: The provided authorization code or refresh token is expired.', 400),
        'code_redirect': ('invalid_client', 'AADSTS500112: The reply address does not match.', 401),
        'bad_verifier': ('invalid_grant', 'AADSTS501481: The Code_Verifier does not match the code_challenge.', 400),
        'dead_refresh': ('invalid_grant', 'AADSTS70000: The provided grant has expired due to it being revoked.', 400),
        'pending': ('authorization_pending', 'AADSTS70016: Authorization is pending. Continue polling.', 400),
        'device_expired': ('expired_token', 'AADSTS70020: The provided device code has expired.', 400),
        'device_denied': ('authorization_declined', 'AADSTS70018: The user declined the request.', 400),
        'bad_device_code': ('bad_verification_code', 'AADSTS70019: The device code is not valid.', 400),
    }
    rotation = 'overlap'
    prefixes = {'code': '1.AVoA', 'access_token': 'eyJ0eXAiOiJKV1QiLCJub25jZSI6', 'refresh_token': '1.AVoA'}
    user = {'sub': 'AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ', 'name': 'Jane Doe', 'given_name': 'Jane',
            'family_name': 'Doe', 'preferred_username': 'jane@acme.example', 'email': 'jane@acme.example'}
    object_id = '690222be-ff1a-4d56-abd1-7e4f7d38e474'
    claims_of_scope = {'profile': ['name', 'preferred_username'], 'email': ['email']}
    api, redirect = 'https://graph.microsoft.com/v1.0/me', 'http://localhost'
    device_page = 'https://microsoft.com/devicelogin'
    Settings = Settings

    def make_clients(self):
        app = Client('6731de76-14a6-49ae-97bc-6eba6914391e', redirect_uris=['http://localhost'],
                     grants=GRANTS_WITH_DEVICE)
        return {'desktop': app, 'device': app}

    @property
    def place(self):
        tenants = {'acme': ACME, 'other': OTHER, 'consumers': CONSUMERS}
        return {**super().place, 'tenants': tenants, 'scope': JOBS + '/jobs.read',
                'own_api': 'https://api.example.com/jobs'}

    def extra_routes(self):
        return [(LOGIN + '/v2.0/.well-known/openid-configuration', 'GET', discovery), (self.api, 'GET', me),
                ('https://api.example.com/jobs', 'GET', jobs), (self.endpoints['jwks_uri'], 'GET', keys),
                (self.endpoints['userinfo_endpoint'], 'GET POST', userinfo),
                (self.endpoints['end_session_endpoint'], 'GET', end_session)]

    # Tenants

    def tenant_of(self, request):
        tenant = request.place.get('tenant')
        if tenant not in ('common', 'organizations', 'consumers', ACME, OTHER, CONSUMERS):
            raise self.fail('bad_tenant', tenant=tenant)
        return tenant

    def published_issuer(self, tenant):
        # Not `consumers`, which publishes the consumer tenant's.
        name = {'common': '{tenantid}', 'organizations': '{tenantid}', 'consumers': CONSUMERS}.get(tenant, tenant)
        return f'https://login.microsoftonline.com/{name}/v2.0'

    def check_user(self, tenant):
        tid = self.settings.tid
        allowed = {'common': True, 'organizations': tid != CONSUMERS, 'consumers': tid == CONSUMERS}
        if not allowed.get(tenant, tid == tenant):
            raise self.fail('bad_user', tenant=tenant)

    def issuer_of(self, family):
        return f'https://login.microsoftonline.com/{family.tid}/v2.0'

    # The authorization endpoint

    def authorizing_client(self, request, parameters):
        self.check_user(self.tenant_of(request))
        return super().authorizing_client(request, parameters)

    def may_redirect(self, client, address):
        parts = urlsplit(address)
        # The path is compared, but an empty one is a slash.
        whole = parts._replace(path='').geturl() if parts.path == '/' else address
        return redirects.any_port(whole, client.redirect_uris, ['localhost'])

    def landing(self, address):
        return address if urlsplit(address).path else address + '/'

    def authorized(self, family, request, parameters):
        family.tid = self.settings.tid
        if len((parameters['prompt'] or '').split()) > 1:
            raise self.fail('bad_prompt')

    def callback(self, family, code, parameters):
        return [*super().callback(family, code, parameters), ('session_state', str(uuid.uuid4()))]

    def refused_callback(self, error, parameters):
        text = _described(error.description or '')
        return [('error', error.code), ('error_description', text), ('state', parameters['state'])]

    # Tokens

    def authenticate(self, request):
        self.tenant_of(request)
        return super().authenticate(request)

    def token_scope(self, family, request):
        """The scopes of one API: of that which the request names, or of the only one. openid and others are Graph's."""
        family.tid = getattr(family, 'tid', self.settings.tid)
        words = (request.form['scope'] or family.scope).split()
        if not set(words) <= set(self.scopes):
            raise self.fail('bad_scope', scopes=' '.join(words))
        own = [word for word in words if word.startswith(JOBS)]
        graph = [word for word in words if word not in own and word not in OF_OPENID]
        if own and graph:
            raise self.fail('several_resources')
        return ' '.join(own or [word for word in words if word != 'offline_access'])

    def token_audience(self, family, scope):
        return JOBS if JOBS in scope else GRAPH

    def id_claims(self, family, claims):
        # Pairwise: another client knows the user under another name.
        claims.update(ver='2.0', tid=family.tid, oid=self.object_id, nbf=claims['iat'], uti=self.secret('uti', 16)[:22])
        if family.tid == CONSUMERS:
            claims['preferred_username'] = 'jane@outlook.com'
        del claims['at_hash']

    def signing_key(self, family):
        return self.keys.other('consumers') if family.tid == CONSUMERS else super().signing_key(family)

    def complete(self, content, family, refreshing):
        content['ext_expires_in'] = content['expires_in']

    def complete_device(self, content):
        del content['verification_uri_complete']
        content['user_code'] = content['user_code'].replace('-', '') + 'Q'
        content['message'] = f'To sign in, open the page {self.device_page} and enter the code {content["user_code"]}.'

    def error_answer(self, error, request):
        if request.host == 'graph.microsoft.com':
            content = {'error': {'code': 'InvalidAuthenticationToken', 'message': 'Access token validation failure. '
                                 'Invalid audience.', 'innerError': {'request-id': str(uuid.uuid4())}}}
            challenge = 'Bearer realm="", authorization_uri="' + LOGIN.replace('{tenant}', 'common') + \
                f'/oauth2/authorize", client_id="{GRAPH}"'
            return json_answer(content, error.status, {'WWW-Authenticate': challenge})
        text = error.description or ''
        code = text.partition(':')[0].removeprefix('AADSTS')
        numbers = [int(code)] if code.isdigit() else []
        content = {'error': error.code, 'error_description': _described(text), 'error_codes': numbers,
                   'timestamp': _now(), 'trace_id': str(uuid.uuid4()), 'correlation_id': str(uuid.uuid4())}
        if numbers:
            content['error_uri'] = f'https://login.microsoftonline.com/error?code={code}'
        return json_answer(content, error.status, NO_STORE)


def _now():
    return time.strftime('%Y-%m-%d %H:%M:%SZ', time.gmtime())


def _described(text):
    """An error text as Microsoft writes it: on several lines."""
    return f'{text} Trace ID: {uuid.uuid4()}\r\nCorrelation ID: {uuid.uuid4()}\r\nTimestamp: {_now()}'


def discovery(player, request):
    tenant = player.tenant_of(request)
    document = {name: url.replace('{tenant}', tenant) for name, url in player.endpoints.items()}
    return json_answer({**document, 'issuer': player.published_issuer(tenant), **player.metadata})


def keys(player, request):
    """Keys without `alg`, each with the issuer that it may sign for; one is the consumer tenant's alone."""
    tenant = player.tenant_of(request)
    player.keys.signing('RS256')
    general, found = player.published_issuer(tenant), []
    if tenant not in ('consumers', CONSUMERS):
        found = [(key, general) for key in (*player.keys.current.values(), *player.keys.former)]
    if tenant in ('common', 'consumers', CONSUMERS):
        found.append((player.keys.other('consumers'), player.published_issuer(CONSUMERS)))
    return json_answer({'keys': [_jwk(key, issuer) for key, issuer in found]})


def _jwk(key, issuer):
    jwk = {name: value for name, value in key.jwk.items() if name != 'alg'}
    return {**jwk, 'x5t': hashlib.sha1(key.pem).hexdigest()[:27], 'cloud_instance_name': 'microsoftonline.com',
            'issuer': issuer}


def userinfo(player, request):
    resources.bearer(player, request, GRAPH)
    user = player.user
    claims = {name: user[name] for name in ('sub', 'name', 'given_name', 'family_name', 'email')}
    return json_answer({**claims, 'picture': 'https://graph.microsoft.com/v1.0/me/photo/$value'})


def me(player, request):
    resources.bearer(player, request, GRAPH)
    return json_answer({'id': player.object_id, 'displayName': player.user['name'], 'mail': player.user['email'],
                        'userPrincipalName': player.user['preferred_username']})


def jobs(player, request):
    held = resources.bearer(player, request, JOBS)
    return json_answer({'jobs': ['build', 'deploy'], 'scope': held.scope})


def end_session(player, request):
    """The hint is optional, and an address that is not registered is ignored."""
    parameters = request.parameters
    address, state = parameters['post_logout_redirect_uri'], parameters['state']
    if address and any(client.may_return(address) for client in player.named_clients.values()):
        return redirect(address + (f'?state={state}' if state else ''))
    return page('You signed out of your account.')
