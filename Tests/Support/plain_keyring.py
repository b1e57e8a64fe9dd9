"""A keyring that does what the Secret Service promises, without a bus: for `scripted-keyring`, which makes it fail."""
import time

from secret_session import ENCRYPTED, PLAIN, EncryptedSession, PlainSession

ROOT = '/org/freedesktop/secrets'
LOGIN = ROOT + '/collection/login'
SERVICE, COLLECTION, ITEM, PROMPT = ('org.freedesktop.Secret.' + n for n in ('Service', 'Collection', 'Item', 'Prompt'))


def say(*words):
    print(*words, flush=True)


class Failure(Exception):
    """What a call is answered with in place of a reply."""

    def __init__(self, name):
        self.name = name if name.startswith('org.') else 'org.freedesktop.Secret.Error.' + name


class Keyring:
    """One collection, its items and sessions: what a keyring does when nothing is wrong."""

    def __init__(self):
        self.items, self.sessions, self.prompts = {}, {}, {}
        self.algorithms = {ENCRYPTED, PLAIN}
        self.locked = self.items_locked = self.cold = False
        self.has_default = True
        self.made = 0
        self.now = int(time.time())

    def path(self, kind):
        self.made += 1
        return f'{kind}/{self.made}'

    def tick(self):
        """The time of a change: no two have the same, though they come within a second."""
        self.now += 1
        return self.now

    def add(self, attributes, secret, label=''):
        now = self.tick()
        path = self.path(LOGIN)
        self.items[path] = {'attributes': attributes, 'secret': bytes(secret), 'label': label, 'at': (now, now)}
        return path

    def item(self, path):
        if path not in self.items:
            raise Failure('NoSuchObject')
        return self.items[path]

    def check(self, session=None, item=False):
        if self.locked or (item and self.items_locked):
            raise Failure('IsLocked')
        if session is not None and session not in self.sessions:
            raise Failure('NoSession')

    def properties(self, path, interface):
        if interface == SERVICE:
            return {'Collections': ('ao', [LOGIN])}
        if interface == COLLECTION and path in (LOGIN, ROOT + '/aliases/default'):
            return {'Items': ('ao', list(self.items)), 'Label': ('s', 'login'), 'Locked': ('b', self.locked),
                    'Created': ('t', 0), 'Modified': ('t', 0)}
        if interface == ITEM:
            item = self.item(path)
            created, modified = item['at']
            return {'Attributes': ('a{ss}', item['attributes']), 'Label': ('s', item['label']),
                    'Locked': ('b', self.locked or self.items_locked), 'Created': ('t', created), 'Modified': ('t', modified)}
        raise Failure('NoSuchObject')

    # Methods: each returns the signature and the body of its reply.

    def Get(self, call):
        interface, name = call.body
        return 'v', (self.properties(call.path, interface)[name],)

    def GetAll(self, call):
        return 'a{sv}', (self.properties(call.path, call.body[0]),)

    def Set(self, call):
        interface, name, value = call.body
        if (interface, name) != (ITEM, 'Attributes'):
            raise Failure('org.freedesktop.DBus.Error.PropertyReadOnly')
        item = self.item(call.path)
        self.check(item=True)
        # As KeePassXC does: what is not named stays.
        item['attributes'] = {**item['attributes'], **value[1]}
        return '', ()

    def OpenSession(self, call):
        algorithm, (_, public) = call.body
        if algorithm not in self.algorithms:
            raise Failure('org.freedesktop.DBus.Error.NotSupported')
        session = EncryptedSession(public) if algorithm == ENCRYPTED else PlainSession()
        path = self.path(ROOT + '/session')
        self.sessions[path] = session
        return 'vo', (session.output, path)

    def SearchItems(self, call):
        wanted = call.body[0].items()
        found = [p for p, i in self.items.items() if wanted <= i['attributes'].items()]
        if self.cold:
            return 'aoao', ([], [])
        return 'aoao', (([], found) if self.locked or self.items_locked else (found, []))

    def ReadAlias(self, call):
        return 'o', (LOGIN if call.body[0] == 'default' and self.has_default else '/',)

    def GetSecret(self, call):
        item = self.item(call.path)
        path = call.body[0]
        self.check(path, item=True)
        return '(oayays)', ((path, *self.sessions[path].encode(item['secret']), 'text/plain'),)

    def SetSecret(self, call):
        item = self.item(call.path)
        session, vector, secret, _ = call.body[0]
        self.check(session, item=True)
        item['secret'] = self.sessions[session].decode(vector, secret)
        item['at'] = (item['at'][0], self.tick())
        return '', ()

    def CreateItem(self, call):
        properties, (session, vector, secret, _), replace = call.body
        self.check(session)
        secret = self.sessions[session].decode(vector, secret)
        if replace:
            say('violation: CreateItem with replace')
        attributes, label = properties[ITEM + '.Attributes'][1], properties[ITEM + '.Label'][1]
        return 'oo', (self.add(attributes, secret, label), '/')

    def Delete(self, call):
        self.item(call.path)
        self.check()
        del self.items[call.path]
        return 'o', ('/',)

    def CreateCollection(self, call):
        def make():
            self.has_default = True
            return 'o', LOGIN
        return 'oo', ('/', self.prompt(make))

    def Lock(self, call):
        self.locked = True
        return 'aoo', (call.body[0], '/')

    def Unlock(self, call):
        objects = call.body[0]

        def unlock():
            self.locked = self.cold = False
            if self.items.keys() & set(objects):
                self.items_locked = False
            return 'ao', objects
        if not self.locked and not (self.items_locked and self.items.keys() & set(objects)):
            return 'aoo', (objects, '/')
        return 'aoo', ([], self.prompt(unlock))

    def prompt(self, action):
        """An offer: what happens when the person says yes, and what that gives."""
        path = self.path(ROOT + '/prompt')
        self.prompts[path] = action
        return path
