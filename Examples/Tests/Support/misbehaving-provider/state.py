"""One provider: what it was told to do, and what it knows."""
import secrets
import threading
import time
from dataclasses import asdict, dataclass
from types import SimpleNamespace

import faults
from clients import Clients
from keys import KeySet
from tokens import PERSON


@dataclass
class Settings:
    alg: str = 'RS256'
    token_life: int = 3600
    grace: float = 10.0
    device_interval: int = 5
    device_life: int = 600
    approve_devices: bool = False
    require_par: bool = False
    require_dpop_nonce: bool = False
    # Whether the response to a revocation waits until this is false.
    hold_revocations: bool = False
    # The API that access tokens are for, which are JWTs then; empty for opaque ones. RFC 9068.
    audience: str = ''
    # Who signs in from now on.
    person: str = PERSON['sub']


class Record:
    """Every request, and every secret that was given or received, of all providers of the process."""

    def __init__(self):
        self.log, self.secrets = [], {}

    def keep(self, kind, value):
        # What is shorter keeps nothing secret, and would be found in any text.
        if value and len(value) >= 8:
            self.secrets[value] = kind


class Provider:
    def __init__(self, name, record, settings):
        self.name, self.record, self.settings = name, record, settings
        self.issuer = self.other = None
        # One request at a time changes what is known; the answer is written without the lock.
        self.lock = threading.RLock()
        self.keys = KeySet()
        self.clients = Clients(self)
        self.assertions = set()
        self.codes, self.access_tokens, self.refresh_tokens = {}, {}, {}
        self.devices, self.pushed, self.proofs, self.dpop_nonces = {}, {}, {}, {}
        self.fault, self.memory = None, {}

    # Faults

    def set_fault(self, name):
        """Raises KeyError for one that is not in the table."""
        self.fault = None if name is None else faults.TABLE[name]
        self.memory = {}

    def spoil(self, point, subject, **context):
        """Lets the fault change what was made right, in place."""
        deed = self.fault and self.fault.deeds.get(point)
        if deed:
            deed(subject, SimpleNamespace(provider=self, **context))
        return subject

    def replace(self, point, subject=None, **context):
        """What the fault gives in place of it; the same where it has no say."""
        deed = self.fault and self.fault.deeds.get(point)
        changed = deed(subject, SimpleNamespace(provider=self, **context)) if deed else None
        return subject if changed is None else changed

    # Time

    @property
    def now(self):
        """What its clock shows. What expires inside is counted with the monotonic clock, which no fault moves."""
        return time.time() + (self.fault.clock if self.fault else 0)

    # Keys

    def alg(self, client=None):
        return self.fault and self.fault.alg or client and client.id_token_alg or self.settings.alg

    @property
    def jwks(self):
        return self.spoil('jwks', self.keys.published(self.alg()))

    # Secrets

    def secret(self, kind, size=32):
        value = secrets.token_urlsafe(size)
        self.record.keep(kind, value)
        return value

    def address(self, path):
        return self.issuer + path

    @property
    def summary(self):
        return {'fault': self.fault.name if self.fault else None, **asdict(self.settings)}
