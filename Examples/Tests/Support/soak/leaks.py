"""A search for known tokens, whole or in part, in files."""
import os
import re

# A run of 16 characters holds an aligned block of 8 at a stride of 9, wherever it starts.
RUN, BLOCK, STRIDE = 16, 8, 9
WORD = re.compile(rb'[A-Za-z0-9_.~+/%=&!-]{16,}')


def secret_part(token):
    """The part of a token that must not be known: of a JWT the signature, of a family's token the proof."""
    parts = token.split('.')
    return parts[2] if len(parts) == 3 and len(parts[2]) >= RUN else token


class Secrets:
    def __init__(self):
        self.known, self.blocks = {}, {}

    def add(self, kinds):
        """Adds secrets, each with the word for its kind."""
        for token in kinds.keys() - self.known.keys():
            self.known[token] = kinds[token]
            part = secret_part(token).encode()
            for place in range(0, len(part) - BLOCK + 1, STRIDE):
                self.blocks.setdefault(part[place:place + BLOCK], {})[part] = kinds[token]

    def found(self, content):
        """The kind of a secret of which a run of 16 characters is in the bytes, or all of a shorter one; or None."""
        for word in WORD.finditer(content):
            text = word[0]
            for place in range(len(text) - BLOCK + 1):
                for secret, kind in self.blocks.get(text[place:place + BLOCK], {}).items():
                    if self._shares_run(text, secret):
                        return kind
        return None

    @staticmethod
    def _shares_run(text, secret):
        length = min(RUN, len(secret))
        return any(secret[place:place + length] in text for place in range(len(secret) - length + 1))

    def scan(self, folders, since=0, but=()):
        """The files that hold a secret, each with its kind, and the number of files. Only a deep folder's subfolders are searched."""
        leaks, count = {}, 0
        for folder, is_deep in folders:
            for parent, names, files in os.walk(folder):
                names[:] = [name for name in names if is_deep and os.path.join(parent, name) not in but]
                for name in files:
                    path = os.path.join(parent, name)
                    content = _content(path, since)
                    count += content is not None
                    if content and (kind := self.found(content)):
                        leaks[path] = kind
        return leaks, count


def _content(path, since):
    """The bytes of a file; None if it is gone, not a file, or older than a time."""
    try:
        status = os.lstat(path)
        if not os.path.isfile(path) or os.path.islink(path) or status.st_mtime < since:
            return None
        with open(path, 'rb') as file:
            return file.read()
    except (FileNotFoundError, PermissionError):
        return None
