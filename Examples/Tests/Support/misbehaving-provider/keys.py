"""The provider's signing keys: made when they are first needed."""
from jose import Key

NAMES = {'RS': 'rsa', 'PS': 'pss', 'ES': 'ec', 'Ed': 'ed'}
# What a real provider publishes side by side: different types, so that a key's type and name both choose it.
USUAL = ('RS256', 'ES256', 'EdDSA')


class KeySet:
    def __init__(self):
        self.current, self.former, self.others = {}, [], {}
        self.made = 0

    def signing(self, alg):
        if alg not in self.current:
            self.made += 1
            self.current[alg] = Key(alg, f'{NAMES[alg[:2]]}-{self.made}')
        return self.current[alg]

    def other(self, name, alg='RS256', bits=2048):
        """A key that is not published: a stranger's, or the next one."""
        if name not in self.others:
            self.others[name] = Key(alg, name, bits)
        return self.others[name]

    def of_client(self, client):
        """The key of a client, of which a real provider would know the public half alone."""
        return self.other(f'client {client.id}', client.key_alg)

    def rotate(self):
        """New keys for all; the former stay published, as tokens that they signed may still be on their way.

        OpenID Core, 10.1.1.
        """
        used = list(self.current)
        self.former += self.current.values()
        self.current = {}
        for alg in used:
            self.signing(alg)

    def published(self, alg):
        for usual in (*USUAL, alg):
            self.signing(usual)
        return [key.jwk for key in (*self.current.values(), *self.former)]
