// SPDX-License-Identifier: Apache-2.0

internal import Crypto
internal import CryptoExtras

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A password's scrypt hash with its salt and cost, stored as a PHC string.
///
/// `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`, base64 without padding, as specified by the
/// [PHC string format](https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md).
struct PasswordHash: Sendable {
    let cost: ScryptCost
    let salt: Data
    let hash: Data

    private static let saltLength = 16
    private static let hashLength = 32

    /// Hashes a password with a fresh salt.
    init(password: String, cost: ScryptCost) throws {
        self.cost = cost
        salt = Data(randomByteCount: Self.saltLength)
        hash = try Self.derive(password, salt: salt, cost: cost, length: Self.hashLength)
    }

    /// Creates a hash that no password matches, so that an unknown account takes as long to check as a real one.
    init(matchingNothingAt cost: ScryptCost) {
        self.cost = cost
        salt = Data(randomByteCount: Self.saltLength)
        hash = Data(randomByteCount: Self.hashLength)
    }

    /// Parses a PHC string, or returns nil if it isn't a hash of this form.
    init?(phc: String) {
        let parts = phc.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
        var numbers: [String: Int] = [:]
        for pair in parts[2].split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let number = Int(sides[1]) else { return nil }
            numbers[String(sides[0])] = number
        }
        guard let rounds = numbers["ln"], let block = numbers["r"], let lanes = numbers["p"],
            let salt = Data(unpaddedBase64: parts[3]), let hash = Data(unpaddedBase64: parts[4]), hash.count >= 16
        else { return nil }
        let cost = ScryptCost(logRounds: rounds, blockSize: block, parallelism: lanes)
        guard cost.isBounded else { return nil }
        self.cost = cost
        self.salt = salt
        self.hash = hash
    }

    /// The PHC string that the database stores.
    var phc: String {
        "$scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
            + "$\(salt.unpaddedBase64)$\(hash.unpaddedBase64)"
    }

    /// Returns whether this is the hash of a password; compares in constant time.
    func matches(_ password: String) throws -> Bool {
        let candidate = try Self.derive(password, salt: salt, cost: cost, length: hash.count)
        return ConstantTime.equal(candidate, hash)
    }

    private static func derive(_ password: String, salt: Data, cost: ScryptCost, length: Int) throws -> Data {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: salt,
            outputByteCount: length,
            rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
        return key.rawBytes
    }
}
