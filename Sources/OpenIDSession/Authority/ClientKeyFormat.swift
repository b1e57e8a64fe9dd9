// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession
import OpenIDConnect

/// The stored form of the private key with which a client authenticates.
struct ClientKeyFormat: StoredForm {
    /// The key's PEM text; absent if the app signs.
    let pem: String?
    /// The `alg` name.
    let algorithm: String
    let keyID: String?
    let audience: String

    init(_ key: ClientAssertionKey) {
        pem = key.pem.map { String(decoding: $0.unredacted, as: UTF8.self) }
        algorithm = key.algorithm.description
        keyID = key.keyID
        audience = key.audience.rawValue
    }

    /// Returns the key; one that can't sign if the app signs.
    ///
    /// - Throws: `SessionRecordError` (`damaged`); `OpenIDError`.
    func key() throws -> ClientAssertionKey {
        guard let algorithm = SignatureAlgorithm(algorithm),
            let audience = ClientAssertionKey.Audience(rawValue: audience)
        else { throw SessionRecordError(.damaged) }
        var key =
            try pem.map { try ClientAssertionKey(pem: $0, algorithm: algorithm, keyID: keyID) }
            ?? .unavailable(algorithm: algorithm, keyID: keyID)
        key.audience = audience
        return key
    }
}
