#if EncryptedFile
import AuthCore

/// What makes a file's keys of its passphrase; the same in every version of a file until its passphrase is changed.
struct KeyDerivation: Sendable, Hashable {
    let cost: ScryptCost
    let salt: [UInt8]

    /// Reads a derivation from a file's header.
    init(cost: ScryptCost, salt: [UInt8]) {
        self.cost = cost
        self.salt = salt
    }

    /// Makes a derivation that no other file has.
    init(cost: ScryptCost) {
        self.cost = cost
        salt = RandomBytes.make(EncryptedFileFormat.saltSize)
    }
}
#endif
