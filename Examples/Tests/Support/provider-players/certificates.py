"""A certificate authority of the player's own, and the certificate of its host names. RFC 5280."""
import datetime
import os

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

USES = ('digital_signature', 'content_commitment', 'key_encipherment', 'data_encipherment', 'key_agreement',
        'key_cert_sign', 'crl_sign', 'encipher_only', 'decipher_only')


def make(folder, names):
    """Writes the authority's certificate, and the certificate and the key of the names. Returns their paths."""
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority = _name('Provider players')
    root = _builder(authority, authority, authority_key).add_extension(x509.BasicConstraints(True, 0), True) \
        .add_extension(_usage('key_cert_sign', 'crl_sign'), True).sign(authority_key, hashes.SHA256())
    leaf = _builder(_name(names[0]), authority, key).add_extension(x509.BasicConstraints(False, None), True) \
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name) for name in names]), False) \
        .add_extension(_usage('digital_signature'), True) \
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), False) \
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), False) \
        .sign(authority_key, hashes.SHA256())
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return (_write(folder, 'authority.pem', root.public_bytes(Encoding.PEM), 0o644),
            _write(folder, 'certificate.pem', leaf.public_bytes(Encoding.PEM), 0o600),
            _write(folder, 'key.pem', private, 0o600))


def _name(text):
    # A common name holds 64 characters at most; the names that count are alternative names. RFC 5280, A.1.
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _builder(subject, issuer, key):
    now = datetime.datetime.utcnow()
    return x509.CertificateBuilder().subject_name(subject).issuer_name(issuer).public_key(key.public_key()) \
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1)) \
        .not_valid_after(now + datetime.timedelta(days=30)) \
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)


def _usage(*uses):
    return x509.KeyUsage(**{use: use in uses for use in USES})


def _write(folder, name, content, mode):
    path = os.path.join(folder, name)
    with open(path, 'wb') as file:
        os.fchmod(file.fileno(), mode)
        file.write(content)
    return path
