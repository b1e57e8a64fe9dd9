"""JSON Web Signatures by hand (RFC 7515), and keys as JSON (RFC 7517, RFC 8037)."""
import base64
import hashlib
import hmac
import json
import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

HASHES = {'256': hashes.SHA256, '384': hashes.SHA384, '512': hashes.SHA512}
CURVES = {'ES256': ec.SECP256R1, 'ES384': ec.SECP384R1, 'ES512': ec.SECP521R1}
CURVE_NAMES = {'secp256r1': 'P-256', 'secp384r1': 'P-384', 'secp521r1': 'P-521'}
ALGORITHMS = [family + size for family in ('RS', 'PS', 'ES') for size in HASHES] + ['EdDSA']


class BadToken(Exception):
    """What was given is no JWS, or its signature is wrong."""


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b'=').decode()


def unb64(text):
    """Strict: no padding, no other characters. RFC 7515, 2."""
    if not re.fullmatch('[A-Za-z0-9_-]*', text) or len(text) % 4 == 1:
        raise BadToken('not base64url')
    return base64.urlsafe_b64decode(text + '=' * (-len(text) % 4))


def number(value, length=None):
    return b64(value.to_bytes(length or (value.bit_length() + 7) // 8, 'big'))


def half_hash(alg, text):
    """at_hash: the left half of the hash of the signature's algorithm. OpenID Core, 3.1.3.6."""
    digest = hashlib.new('sha' + (alg[2:] if alg != 'EdDSA' else '512'), text.encode()).digest()
    return b64(digest[:len(digest) // 2])


class Key:
    """A private key that signs with one algorithm."""

    def __init__(self, alg, kid, bits=2048):
        self.alg, self.kid = alg, kid
        if alg[:2] in ('RS', 'PS'):
            self.private = rsa.generate_private_key(65537, bits)
        elif alg in CURVES:
            self.private = ec.generate_private_key(CURVES[alg]())
        else:
            self.private = ed25519.Ed25519PrivateKey.generate()

    @property
    def jwk(self):
        return {**public_jwk(self.private.public_key()), 'use': 'sig', 'alg': self.alg, 'kid': self.kid}

    @property
    def pem(self):
        return self.private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    @property
    def private_pem(self):
        return self.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()

    def sign(self, data):
        digest = HASHES.get(self.alg[2:])
        if self.alg.startswith('RS'):
            return self.private.sign(data, padding.PKCS1v15(), digest())
        if self.alg.startswith('PS'):
            # RFC 7518, 3.5: the salt is as long as the hash.
            return self.private.sign(data, padding.PSS(padding.MGF1(digest()), digest.digest_size), digest())
        if self.alg in CURVES:
            # RFC 7518, 3.4: r and s side by side, each as long as the curve's order.
            length = (self.private.curve.key_size + 7) // 8
            return b''.join(n.to_bytes(length, 'big')
                            for n in decode_dss_signature(self.private.sign(data, ec.ECDSA(digest()))))
        return self.private.sign(data)


class SharedKey:
    """Signs with HMAC, as nobody may who has to be verified by a public key."""

    def __init__(self, secret):
        self.secret = secret

    def sign(self, data):
        return hmac.digest(self.secret, data, 'sha256')


class NoKey:
    """The signature of `none`: empty. RFC 7518, 3.6."""

    def sign(self, data):
        return b''


class BrokenKey:
    """Signs as another key does, and then turns over one bit."""

    def __init__(self, key):
        self.key = key

    def sign(self, data):
        signature = bytearray(self.key.sign(data))
        signature[len(signature) // 2] ^= 1
        return bytes(signature)


def public_jwk(key):
    if isinstance(key, rsa.RSAPublicKey):
        numbers = key.public_numbers()
        return {'kty': 'RSA', 'n': number(numbers.n), 'e': number(numbers.e)}
    if isinstance(key, ec.EllipticCurvePublicKey):
        numbers, length = key.public_numbers(), (key.curve.key_size + 7) // 8
        return {'kty': 'EC', 'crv': CURVE_NAMES[key.curve.name],
                'x': number(numbers.x, length), 'y': number(numbers.y, length)}
    return {'kty': 'OKP', 'crv': 'Ed25519', 'x': b64(key.public_bytes(Encoding.Raw, PublicFormat.Raw))}


def public_key(jwk):
    try:
        if jwk['kty'] == 'RSA':
            n, e = (int.from_bytes(unb64(jwk[name]), 'big') for name in 'ne')
            return rsa.RSAPublicNumbers(e, n).public_key()
        if jwk['kty'] == 'EC':
            curve = {'P-256': ec.SECP256R1, 'P-384': ec.SECP384R1, 'P-521': ec.SECP521R1}[jwk['crv']]()
            x, y = (int.from_bytes(unb64(jwk[name]), 'big') for name in 'xy')
            return ec.EllipticCurvePublicNumbers(x, y, curve).public_key()
        if jwk['kty'] == 'OKP' and jwk['crv'] == 'Ed25519':
            return ed25519.Ed25519PublicKey.from_public_bytes(unb64(jwk['x']))
    except (KeyError, TypeError, ValueError) as error:
        raise BadToken('no usable key') from error
    raise BadToken('no usable key')


def thumbprint(jwk):
    """RFC 7638, 3: the required members, in order, without spaces."""
    names = {'RSA': ['e', 'kty', 'n'], 'EC': ['crv', 'kty', 'x', 'y'], 'OKP': ['crv', 'kty', 'x']}.get(jwk['kty'], [])
    text = json.dumps({name: jwk[name] for name in names}, separators=(',', ':'), sort_keys=True)
    return b64(hashlib.sha256(text.encode()).digest())


def compact(header, claims, key):
    head, body = (b64(json.dumps(part, separators=(',', ':')).encode()) for part in (header, claims))
    signed = f'{head}.{body}'
    return f'{signed}.{b64(key.sign(signed.encode()))}'


def read(token):
    """Header and claims, not verified."""
    try:
        head, body, _ = token.split('.')
        header, claims = json.loads(unb64(head)), json.loads(unb64(body))
    except ValueError as error:
        raise BadToken('not a JWS') from error
    if not isinstance(header, dict) or not isinstance(claims, dict):
        raise BadToken('not a JWS')
    return header, claims


def verify(token, jwk):
    """Header and claims of what the key has signed. Raises BadToken."""
    header, claims = read(token)
    signed, _, signature = token.rpartition('.')
    data, signature, alg, key = signed.encode(), unb64(signature), header.get('alg'), public_key(jwk)
    digest = HASHES.get(alg[2:]) if isinstance(alg, str) else None
    try:
        if isinstance(key, rsa.RSAPublicKey) and digest and alg.startswith('RS'):
            key.verify(signature, data, padding.PKCS1v15(), digest())
        elif isinstance(key, rsa.RSAPublicKey) and digest and alg.startswith('PS'):
            key.verify(signature, data, padding.PSS(padding.MGF1(digest()), digest.digest_size), digest())
        elif isinstance(key, ec.EllipticCurvePublicKey) and alg in CURVES and isinstance(key.curve, CURVES[alg]):
            half = (key.curve.key_size + 7) // 8
            if len(signature) != 2 * half:
                raise BadToken('the signature has another length')
            r, s = (int.from_bytes(part, 'big') for part in (signature[:half], signature[half:]))
            key.verify(encode_dss_signature(r, s), data, ec.ECDSA(digest()))
        elif isinstance(key, ed25519.Ed25519PublicKey) and alg == 'EdDSA':
            key.verify(signature, data)
        else:
            raise BadToken('the algorithm is not the key\'s')
    except InvalidSignature as error:
        raise BadToken('the signature is wrong') from error
    return header, claims
