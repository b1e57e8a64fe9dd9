"""The rules of google, microsoft, github and mcp."""
from self_test_party import Party, api, browses, discovered, expect, expect_refused, general, polls, send

MAIL = 'https://www.googleapis.com/auth/userinfo.email'


def google(test):
    party = test.party(redirect='http://127.0.0.1:49152/callback', access_type='offline')
    first = party.callback()
    assert first['iss'] == 'https://accounts.google.com' and first['prompt'] == 'consent' and first['authuser'] == '0'
    assert MAIL in first['scope'].split()
    tokens = expect(party.redeem(first['code']), 200).json
    assert tokens['refresh_token'] and MAIL in tokens['scope'] and tokens['expires_in'] == 3600
    assert party.verified(tokens['id_token'])['email'] == test.place['user']['email']
    browses(party)
    # Again only with prompt=consent, and never without access_type=offline.
    assert party.callback()['prompt'] == 'none'
    assert 'refresh_token' not in party.sign_in()
    assert 'refresh_token' not in party.sign_in(access_type=None, prompt='consent')
    assert 'refresh_token' in party.sign_in(prompt='consent')
    general(party)
    for changes, code in (({'scope': 'openid offline_access'}, b'invalid_scope'),
                          ({'prompt': 'login'}, b'invalid_request'),
                          ({'redirect_uri': 'https://example.com/'}, b'redirect_uri_mismatch'),
                          ({'client_id': test.clients['device']['client_id']}, b'invalid_request')):
        reply = party.authorize(**changes)
        assert reply.status == 400 and reply.type == 'text/html' and code in reply.body
    for redirect in ('http://[::1]:4000/x', 'http://localhost:4000/', 'http://127.0.0.1:4000'):
        party.callback(redirect_uri=redirect)
    expect(party.redeem(party.callback()['code'], secret=None), 400, 'invalid_request')
    expect(party.redeem(party.callback()['code'], secret='wrong'), 401, 'invalid_client')
    test.party(redirect='http://127.0.0.1:1/', method='basic').sign_in()
    renewed = expect(party.refresh(tokens['refresh_token']), 200).json
    assert 'refresh_token' not in renewed and renewed['id_token'] and 'nonce' not in party.verified(renewed['id_token'])
    expect(party.refresh(tokens['refresh_token'], secret=None), 400, 'invalid_request')
    assert expect(api(party.metadata['userinfo_endpoint'], renewed['access_token']), 200).json['email']
    # Revocation takes either token, without a client, and refuses a dead one.
    revoke = party.metadata['revocation_endpoint']
    assert expect(send(revoke, {'token': renewed['access_token']}), 200).body == b'{}'
    expect(send(revoke, {'token': tokens['refresh_token']}), 400, 'invalid_token')
    expect(party.refresh(tokens['refresh_token']), 400, 'invalid_grant')
    assert 'refresh_token' in party.sign_in()
    test.set(issuer_without_scheme=True)
    assert party.verified(party.sign_in()['id_token'])['iss'] == 'accounts.google.com'
    test.set(issuer_without_scheme=False)
    assert 'end_session_endpoint' not in party.metadata and 'offline_access' not in party.metadata['scopes_supported']
    google_device(test, party)


def google_device(test, desktop):
    party = test.party('device')
    expect(desktop.device(), 401, 'invalid_client')
    expect(party.device(scope='openid offline_access'), 400, 'invalid_scope')
    device = expect(party.device(secret=None), 200).json
    assert device['verification_url'] == 'https://www.google.com/device' and 'verification_uri' not in device
    expect(send(device['verification_url']), 200)
    tokens = polls(party, (428, 'authorization_pending'), (403, 'slow_down'), (403, 'access_denied'))
    assert party.expired.status == 400 and tokens['refresh_token']
    expect(party.poll('x', secret=None), 400, 'invalid_request')
    test.set(device_quota=True)
    quota = party.device()
    assert quota.status == 403 and quota.json == {'error_code': 'rate_limit_exceeded'}
    test.set(device_quota=False, revoke_everything=True)
    expect(party.refresh(tokens['refresh_token']), 400, 'invalid_grant')
    assert api(test.place['api'], tokens['access_token']).status == 401


def microsoft(test):
    at, tenants = 'https://login.microsoftonline.com/', test.place['tenants']
    literal = at + '{tenantid}/v2.0'
    for tenant, issuer in (('common', literal), ('organizations', literal),
                           ('consumers', at + tenants['consumers'] + '/v2.0'),
                           (tenants['acme'], at + tenants['acme'] + '/v2.0')):
        document = discovered(f'{at}{tenant}/v2.0')
        assert document['issuer'] == issuer and f'/{tenant}/' in document['token_endpoint']
        assert not {'code_challenge_methods_supported', 'grant_types_supported', 'revocation_endpoint'} & set(document)
        assert 'none' not in document['token_endpoint_auth_methods_supported']
        keys = send(document['jwks_uri']).json['keys']
        assert all('alg' not in key for key in keys)
        named = {'common': [literal, at + tenants['consumers'] + '/v2.0']}.get(tenant, [issuer])
        assert [key['issuer'] for key in keys] == named
    expect(send(at + 'nobody.example/v2.0/.well-known/openid-configuration'), 400, 'invalid_tenant')
    party = test.party(redirect='http://localhost:49152', scope='openid profile email offline_access',
                       metadata=discovered(at + 'common/v2.0'))
    reply = party.authorize()
    assert reply.headers['Location'].startswith('http://localhost:49152/?code=')
    for redirect in ('http://127.0.0.1:49152', 'http://[::1]:49152', 'http://localhost:49152/callback'):
        reply = party.authorize(redirect_uri=redirect)
        assert reply.status == 400 and b'AADSTS50011' in reply.body
    tokens = party.sign_in()
    claims = party.verified(tokens['id_token'])
    assert claims['iss'] == f'{at}{tenants["acme"]}/v2.0' and claims['tid'] == tenants['acme']
    assert tokens['scope'] == 'openid profile email' and tokens['ext_expires_in'] == tokens['expires_in']
    assert expect(api(party.metadata['userinfo_endpoint'], tokens['access_token']), 200).json['sub'] == claims['sub']
    expect(api(test.place['api'], tokens['access_token']), 200)
    # The general rules end with a 401 of the API, which tells its error in another form.
    general(party)
    error = expect(party.redeem('unknown'), 400, 'invalid_grant').json
    assert len(error['error_description'].splitlines()) == 3 and error['error_codes'] == [70008] and error['trace_id']
    expect(party.redeem(party.callback()['code'], secret='any'), 401, 'invalid_client')
    # Rotation, and the old token stays good. No refresh token without offline_access.
    second = expect(party.refresh(tokens['refresh_token']), 200).json
    assert second['refresh_token'] != tokens['refresh_token']
    expect(party.refresh(tokens['refresh_token']), 200)
    assert 'refresh_token' not in party.sign_in(scope='openid profile')
    microsoft_own_api(test, party)
    microsoft_tenants(test, party, at, tenants)
    device = expect(party.device(), 200).json
    assert device['message'] and 'verification_uri_complete' not in device
    polls(party, (400, 'authorization_pending'), (400, 'slow_down'), (400, 'authorization_declined'))
    assert send(party.metadata['end_session_endpoint']).status == 200
    test.set(revoke_everything=True)
    expect(party.refresh(second['refresh_token']), 400, 'invalid_grant')


def microsoft_own_api(test, party):
    own = test.place['scope']
    tokens = party.sign_in(scope=f'openid offline_access {own}')
    assert tokens['scope'] == own and tokens['refresh_token'] and tokens['id_token']
    expect(api(test.place['own_api'], tokens['access_token']), 200)
    for address in (party.metadata['userinfo_endpoint'], test.place['api']):
        reply = api(address, tokens['access_token'])
        assert reply.status == 401 and reply.json['error']['code'] == 'InvalidAuthenticationToken'
    code = party.callback(scope=f'openid User.Read {own}')['code']
    expect(party.redeem(code), 400, 'invalid_request')
    expect(party.authorize(scope='openid api://unknown/x'), 302, 'invalid_client')
    expect(party.authorize(prompt='login consent'), 302, 'invalid_request')


def microsoft_tenants(test, party, at, tenants):
    test.set(tid=tenants['consumers'])
    claims = party.verified(party.sign_in()['id_token'])
    assert claims['iss'] == f'{at}{tenants["consumers"]}/v2.0' and claims['tid'] == tenants['consumers']
    keys = send(discovered(at + 'consumers/v2.0')['jwks_uri']).json['keys']
    party.verified(party.sign_in()['id_token'], keys)
    for tenant in ('organizations', tenants['acme']):
        other = test.party(redirect=party.redirect, metadata=discovered(f'{at}{tenant}/v2.0'))
        assert b'AADSTS50020' in other.authorize().body
    test.set(tid=tenants['other'])
    assert party.verified(party.sign_in()['id_token'])['tid'] == tenants['other']
    other = test.party(redirect=party.redirect, metadata=discovered(at + 'consumers/v2.0'))
    assert b'AADSTS50020' in other.authorize().body
    test.set(tid=tenants['acme'])


def github(test, at='https://github.com', user='https://api.github.com/user', enterprise=False):
    metadata = {'authorization_endpoint': at + '/login/oauth/authorize',
                'token_endpoint': at + '/login/oauth/access_token',
                'device_authorization_endpoint': at + '/login/device/code'}

    def party(name, **more):
        return test.party(name, metadata=metadata, scope='read:user user:email unknown',
                          redirect='http://127.0.0.1:49152/callback', **more)
    web = party('desktop')
    callback = web.callback()
    assert callback['iss'] == at + '/login/oauth'
    tokens = expect(web.redeem(callback['code']), 200).json
    assert tokens.keys() == {'access_token', 'token_type', 'scope'} and tokens['scope'] == 'read:user,user:email'
    assert tokens['access_token'].startswith('gho_')
    found = expect(api(user, tokens['access_token']), 200).json
    assert found['id'] == 583231 and found['login']
    elsewhere = test.place['api'] if enterprise else test.place['enterprise']['api']
    assert api(elsewhere, tokens['access_token']).status == 401
    test.set(private_profile=True)
    found = api(user, tokens['access_token']).json
    assert found['name'] is None and found['email'] is None
    test.set(private_profile=False)
    assert api(user, 'gho_x').json['message'] == 'Bad credentials'
    assert api(user, tokens['access_token'], {'User-Agent': ''}).status == 403
    github_refusals(test, web)
    github_app(test, party, user)
    github_device(test, party, user)
    if not enterprise:
        general(web)
        document = send(at + '/.well-known/oauth-authorization-server/login/oauth').json
        assert document['issuer'] == at + '/login/oauth' and 'device_authorization_endpoint' not in document
        assert send(at + '/.well-known/openid-configuration').status == 404
        github(test, 'https://github.example.com', 'https://github.example.com/api/v3/user', enterprise=True)


def github_refusals(test, web):
    expect(web.redeem(web.callback()['code'], secret=None), 200, 'incorrect_client_credentials')
    expect(web.redeem(web.callback()['code'], secret='wrong'), 200, 'incorrect_client_credentials')
    expect(web.redeem('unknown'), 200, 'bad_verification_code')
    web.callback(redirect_uri='http://127.0.0.1:49152/callback/below')
    reply = expect(web.authorize(redirect_uri='http://127.0.0.1:49152/other'), 302, 'redirect_uri_mismatch')
    assert reply.headers['Location'].startswith('http://127.0.0.1/callback?')
    form = {'client_id': web.client['client_id'], 'client_secret': web.client['client_secret'], 'code': 'unknown'}
    reply = send(web.metadata['token_endpoint'], form)
    assert reply.status == 200 and reply.type == 'application/x-www-form-urlencoded'
    assert reply.body.startswith(b'error=bad_verification_code')


def github_app(test, party, user):
    app = party('app')
    tokens = app.sign_in()
    assert tokens['expires_in'] == 28_800 and tokens['refresh_token_expires_in'] == 15_897_600 and tokens['scope'] == ''
    expect(app.refresh(tokens['refresh_token'], secret=None), 200, 'incorrect_client_credentials')
    second = expect(app.refresh(tokens['refresh_token']), 200).json
    assert api(user, tokens['access_token']).status == 401 and api(user, second['access_token']).status == 200
    expect(app.refresh(tokens['refresh_token']), 200, 'bad_refresh_token')
    expect(app.refresh(second['refresh_token']), 200)
    test.set(revoke_everything=True)
    expect(app.refresh(second['refresh_token']), 200, 'bad_refresh_token')


def github_device(test, party, user):
    expect(party('desktop').device(), 400, 'device_flow_disabled')
    expect(party('device').device(client_id='unknown'), 404, 'Not Found')
    device = party('device')
    assert 'client_secret' not in device.client
    tokens = polls(device, (200, 'authorization_pending'), (200, 'slow_down'), (200, 'access_denied'))
    assert device.slowed['interval'] == 10 and api(user, tokens['access_token']).status == 200
    app = party('app_device')
    test.set(approve_after_polls=0)
    tokens = expect(app.poll(app.device().json['device_code']), 200).json
    expect(app.refresh(tokens['refresh_token']), 200)


def mcp(test):
    resource, page = test.place['resource'], test.place['resource_metadata']
    reply = send(resource)
    assert reply.status == 401 and reply.headers['WWW-Authenticate'] == f'Bearer resource_metadata="{page}"'
    server = expect(send(page), 200).json
    assert server['resource'] == resource and server['authorization_servers'] == [test.place['issuer']]
    well_known = 'https://auth.example.com/.well-known/oauth-authorization-server/tenant'
    metadata = expect(send(well_known), 200).json
    assert metadata['issuer'] == test.place['issuer'] and metadata['token_endpoint_auth_methods_supported'] == ['none']
    assert send(test.place['issuer'] + '/.well-known/openid-configuration').status == 404
    wishes = {'redirect_uris': ['http://127.0.0.1/callback'], 'token_endpoint_auth_method': 'none',
              'grant_types': ['authorization_code', 'refresh_token'], 'client_name': 'Self-test'}
    refused = {name: value for name, value in wishes.items() if name != 'token_endpoint_auth_method'}
    expect(send(metadata['registration_endpoint'], content=refused), 400, 'invalid_client_metadata')
    client = expect(send(metadata['registration_endpoint'], content=wishes), 201).json
    assert 'client_secret' not in client
    party = Party(test, client, 'jobs:read', 'http://127.0.0.1:49152/callback', metadata, resource=resource)
    expect(party.authorize(resource=None), 302, 'invalid_target')
    expect(party.authorize(resource='https://other.example.com/'), 302, 'invalid_target')
    assert party.callback()['iss'] == test.place['issuer']
    expect(party.redeem(party.callback()['code']), 400, 'invalid_target')
    tokens = party.sign_in({'resource': resource})
    assert expect(api(resource, tokens['access_token']), 200).json['scope'] == 'jobs:read'
    expect(party.refresh(tokens['refresh_token']), 400, 'invalid_target')
    second = expect(party.refresh(tokens['refresh_token'], resource=resource), 200).json
    expect(party.refresh(tokens['refresh_token'], resource=resource), 400, 'invalid_grant')
    expect(party.refresh(second['refresh_token'], resource=resource), 400, 'invalid_grant')
    tokens = party.sign_in({'resource': resource})
    expect_refused(party.refresh(tokens['refresh_token'], resource=resource, secret='any'))
    assert party.post('revocation_endpoint', token=tokens['refresh_token']).status == 200
    expect(party.refresh(tokens['refresh_token'], resource=resource), 400, 'invalid_grant')
    assert api(resource, tokens['access_token']).status == 401
    expect(party.authorize(scope='jobs:read unknown'), 302, 'invalid_scope')
    test.set(get=False, challenge_scope='jobs:read')
    assert send(resource).status == 405 and 'scope="jobs:read"' in send(resource, content={}).headers['WWW-Authenticate']
    test.set(get=True, needed_scope='jobs:write', elsewhere=403)
    reply = api(resource, party.sign_in({'resource': resource})['access_token'])
    assert reply.status == 403 and 'scope="jobs:write"' in reply.headers['WWW-Authenticate']
    root = 'https://mcp.example.com/.well-known/oauth-protected-resource'
    assert send(root).status == 403
    test.set(needed_scope='', resource_metadata=root, resource='https://mcp.example.com')
    assert send(page).status == 403 and expect(send(root), 200).json['resource'] == 'https://mcp.example.com'
    document = test.party('document', metadata=metadata, scope='jobs:read', resource='https://mcp.example.com')
    assert document.authorize().status == 400
    test.set(client_documents=True, named_issuer=test.place['issuer'] + '/')
    document.sign_in({'resource': 'https://mcp.example.com'})
    assert expect(send(well_known), 200).json['issuer'] == test.place['issuer'] + '/'
    test.set(resource_metadata=page, resource=resource, named_issuer=test.place['issuer'])
    test.set(names_itself=False)
    assert 'iss' not in party.callback()
    assert not expect(send(well_known), 200).json['authorization_response_iss_parameter_supported']
    test.set(registration=False)
    expect(send(metadata['registration_endpoint'], content=wishes), 403, 'access_denied')
    test.party(metadata=metadata, scope='jobs:write', resource=resource).sign_in({'resource': resource})
