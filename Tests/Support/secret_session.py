"""The sessions of a keyring, by which secrets cross the bus: for `plain_keyring`."""
import os

from cryptography.hazmat.primitives import hashes, padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PLAIN, ENCRYPTED = 'plain', 'dh-ietf1024-sha256-aes128-cbc-pkcs7'

# RFC 2409, 6.2: the Second Oakley Group.
PRIME = int('FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B'
            '302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE6'
            '49286651ECE65381FFFFFFFFFFFFFFFF', 16)


class PlainSession:
    """Secrets as they are."""

    output = ('s', '')

    def encode(self, secret):
        return b'', secret

    def decode(self, _, secret):
        return bytes(secret)


class EncryptedSession:
    """Secrets under a key that only the client and this keyring know."""

    def __init__(self, public):
        private = int.from_bytes(os.urandom(128), 'big')
        shared = pow(int.from_bytes(bytes(public), 'big'), private, PRIME).to_bytes(128, 'big')
        self.key = HKDF(algorithm=hashes.SHA256(), length=16, salt=None, info=b'').derive(shared)
        self.output = ('ay', pow(2, private, PRIME).to_bytes(128, 'big'))

    def encode(self, secret):
        vector, padder = os.urandom(16), padding.PKCS7(128).padder()
        encryptor = Cipher(algorithms.AES(self.key), modes.CBC(vector)).encryptor()
        return vector, encryptor.update(padder.update(secret) + padder.finalize()) + encryptor.finalize()

    def decode(self, vector, secret):
        decryptor = Cipher(algorithms.AES(self.key), modes.CBC(bytes(vector))).decryptor()
        unpadder = padding.PKCS7(128).unpadder()
        return unpadder.update(decryptor.update(bytes(secret)) + decryptor.finalize()) + unpadder.finalize()
