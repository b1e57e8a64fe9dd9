"""The stored record of a session, in both stores."""
import base64
import hashlib
import json

from machine import ROOT, Broken

FILE = ROOT / 'Tests/Support/encrypted-file'


class InKeyring:
    name = 'keyring'

    def __init__(self, machine, profile):
        self.machine = machine
        self.attributes = ['application', 'sallyport', 'service', 'sallyport', 'account', profile, 'key', 'session']

    async def read(self):
        return json.loads(await self.machine.run('secret-tool', 'lookup', *self.attributes) or b'null')

    async def write(self, record):
        await self.machine.run('secret-tool', 'store', '--label=sallyport', *self.attributes,
                               given=json.dumps(record).encode())
        if await self.read() != record:
            raise Broken('the record was not written to the keyring')

    async def prepare(self):
        """Does nothing: no key is derived."""


class InFile:
    name = 'file'

    def __init__(self, machine, profile):
        self.machine, self.profile = machine, profile
        names = b'\0'.join((b'encrypted file', b'sallyport', profile.encode()))
        self.stem = hashlib.sha256(names).hexdigest()[:40]

    @property
    def file(self):
        files = list(self.machine.home.rglob(self.stem + '.sallyport'))
        if len(files) != 1:
            raise Broken(f'{len(files)} encrypted files of one profile')
        return files[0]

    async def _items(self):
        output = await self._run('read', b'')
        return json.loads(output)

    async def _run(self, task, given):
        passphrase = self.machine.environment['SALLYPORT_PASSPHRASE'].encode()
        return await self.machine.run('/usr/bin/python3', str(FILE), task, str(self.file), 'sallyport', self.profile,
                                      given=passphrase + b'\n' + given)

    async def read(self):
        return json.loads(base64.b64decode((await self._items())['session']))

    async def write(self, record):
        items = {**await self._items(), 'session': base64.b64encode(json.dumps(record).encode()).decode()}
        await self._run('write', json.dumps(items).encode() + b'\n')
        if await self.read() != record:
            raise Broken('the record was not written to the encrypted file')

    async def prepare(self):
        """Writes the file as another program would, with a cheap key: twenty profiles derive keys all the time."""
        await self.write(await self.read())
