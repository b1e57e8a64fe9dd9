// SPDX-License-Identifier: Apache-2.0

#if EncryptedFile
/// The associated data of a seal: parts, each after its length, so that two different lists never give the same bytes.
struct AuthenticatedParts {
    let bytes: [UInt8]

    private init(_ parts: [[UInt8]]) {
        bytes = parts.flatMap { UInt16($0.count).bigEndianBytes + $0 }
    }

    /// Returns the associated data of the index: the header before it, the service and the account.
    static func ofIndex(_ header: FileHeader, _ scope: StoreScope) -> AuthenticatedParts {
        AuthenticatedParts([header.encoded, Array(scope.service.name.utf8), Array(scope.account.name.utf8)])
    }

    /// Returns the associated data of an item: magic, version, salt, service, account and the item's name.
    static func ofItem(_ key: StoreKey, _ salt: [UInt8], _ scope: StoreScope) -> AuthenticatedParts {
        AuthenticatedParts([
            EncryptedFileFormat.magic, [EncryptedFileFormat.version], salt,
            Array(scope.service.name.utf8), Array(scope.account.name.utf8), Array(key.name.utf8),
        ])
    }
}
#endif
