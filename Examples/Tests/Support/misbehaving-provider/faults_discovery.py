"""Faults of the discovery document and the key set."""
import faults_answers as answers
from faults import DONE, FAILED, UNREACHABLE, UNSAFE, fault

fault('discovery-issuer-mismatch', UNSAFE, 'The document names another issuer. Discovery 4.3; RFC 8414, 3.3.',
      discovery=lambda d, x: d.update(issuer='https://provider.example'))
fault('discovery-issuer-trailing-slash', UNSAFE, 'The issuer has a slash more than asked for. Discovery 4.3.',
      discovery=lambda d, x: d.update(issuer=d['issuer'] + '/'))
fault('discovery-issuer-missing', UNSAFE, 'The document has no issuer. Discovery 3.',
      discovery=lambda d, x: d.pop('issuer'))
fault('discovery-missing-token-endpoint', UNSAFE, 'token_endpoint is missing. Discovery 3.', also=(FAILED,),
      discovery=lambda d, x: d.pop('token_endpoint'))
fault('discovery-missing-jwks-uri', UNSAFE, 'jwks_uri is missing. Discovery 3.', also=(FAILED,),
      discovery=lambda d, x: d.pop('jwks_uri'))
fault('discovery-http-endpoint', UNSAFE, 'token_endpoint is plain http on another host. Core 3.1.3; RFC 6749, 3.2.',
      also=(FAILED,), discovery=lambda d, x: d.update(token_endpoint='http://provider.example/token'))
fault('discovery-authorization-elsewhere', UNSAFE, 'authorization_endpoint is another, honest provider\'s, '
      'whose iss is not this issuer. RFC 9207, 2.4; RFC 9700, 4.4.',
      discovery=lambda d, x: d.update(authorization_endpoint=x.provider.other.address('/authorize')))
fault('discovery-html', UNSAFE, 'HTML with 200 in place of the document. Discovery 4.2.', also=(UNREACHABLE,),
      instead_discovery=answers.html)
fault('discovery-404', UNREACHABLE, 'No document. Discovery 4.2.', also=(FAILED, UNSAFE),
      instead_discovery=answers.not_found)
fault('discovery-500', UNREACHABLE, 'The discovery endpoint fails. RFC 9110, 15.6.1.',
      instead_discovery=answers.failing)
fault('discovery-huge', UNSAFE, 'The document never ends. Discovery 4.2.', also=(UNREACHABLE,),
      instead_discovery=answers.endless('{"issuer":"'))
fault('discovery-slow', UNREACHABLE, 'Two bytes of the document a second. Discovery 4.2.',
      after_discovery=answers.slow)
fault('discovery-redirect', UNSAFE, 'Sends to another origin for the document. Discovery 4.2: 200 is the answer.',
      also=(FAILED, UNREACHABLE), instead_discovery=answers.elsewhere(302))
fault('discovery-no-s256', DONE, 'Advertises PKCE plain only, and takes S256. RFC 8414, 2; RFC 9700, 2.1.1: S256 is '
      'sent all the same.', discovery=lambda d, x: d.update(code_challenge_methods_supported=['plain']))
fault('discovery-unknown-members', DONE, 'Members nobody knows, of every type. Discovery 3: ignored.',
      discovery=lambda d, x: d.update(x_number=1.5, x_list=[None, {}], x_object={'issuer': 'no'}))
fault('discovery-minimal', DONE, 'Only the members that Discovery 3 requires.',
      discovery=lambda d, x: [d.pop(name) for name in set(d) - {
          'issuer', 'authorization_endpoint', 'token_endpoint', 'jwks_uri', 'response_types_supported',
          'subject_types_supported', 'id_token_signing_alg_values_supported'}])

fault('jwks-404', UNREACHABLE, 'No key set: the ID token can\'t be verified. Core 10.1.', also=(UNSAFE,),
      instead_jwks=answers.not_found)
fault('jwks-html', UNSAFE, 'HTML with 200 in place of the keys. RFC 7517, 5.', also=(UNREACHABLE,),
      instead_jwks=answers.html)
fault('jwks-empty', UNSAFE, 'A key set without keys. RFC 7517, 5.1; Core 10.1.',
      jwks=lambda keys, x: keys.clear())
fault('jwks-huge', UNSAFE, 'The key set never ends. RFC 7517, 5.', also=(UNREACHABLE,),
      instead_jwks=answers.endless('{"keys":[{"kid":"'))
fault('jwks-redirect', UNSAFE, 'Sends to another origin for the keys. Core 10.1: the keys are those at jwks_uri.',
      also=(FAILED, UNREACHABLE), instead_jwks=answers.elsewhere(302))
fault('jwks-unknown-keys', DONE, 'Keys of unknown types and broken ones beside the right one. RFC 7517, 5: ignored.',
      jwks=lambda keys, x: keys.extend([
          {'kty': 'NEW', 'kid': 'new'}, {'kty': 'EC', 'crv': 'P-999', 'x': 'AA', 'y': 'AA', 'kid': 'curve'},
          {'kty': 'RSA', 'kid': 'half', 'e': 'AQAB'}]))
