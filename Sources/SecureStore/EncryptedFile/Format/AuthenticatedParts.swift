#if EncryptedFile
/// What a seal covers beside the content: parts, each behind its length, so that no two lists make the same bytes.
struct AuthenticatedParts {
    let bytes: [UInt8]

    private init(_ parts: [[UInt8]]) {
        bytes = parts.flatMap { UInt16($0.count).bigEndianBytes + $0 }
    }

    /// What the index is bound to: the header that stands before it, and whose file it is.
    static func ofIndex(_ header: FileHeader, _ scope: StoreScope) -> AuthenticatedParts {
        AuthenticatedParts([header.encoded, Array(scope.service.name.utf8), Array(scope.account.name.utf8)])
    }

    /// What an item is bound to: its name, whose it is, and the file's salt.
    static func ofItem(_ key: StoreKey, _ salt: [UInt8], _ scope: StoreScope) -> AuthenticatedParts {
        AuthenticatedParts([
            EncryptedFileFormat.magic, [EncryptedFileFormat.version], salt,
            Array(scope.service.name.utf8), Array(scope.account.name.utf8), Array(key.name.utf8),
        ])
    }
}
#endif
