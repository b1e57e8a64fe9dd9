// SPDX-License-Identifier: Apache-2.0

package import AuthCore

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A value that is written to the store, secrets included.
///
/// Its description and its dump show nothing.
package protocol StoredForm: Codable, Redacted {}

extension StoredForm {
    /// Returns the bytes to store, the same ones for the same value.
    ///
    /// They are secret.
    package func encoded() throws -> SecretBytes {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .secondsSince1970
        return SecretBytes(try encoder.encode(self))
    }
}

extension JSONDecoder {
    /// The decoder of stored forms.
    package static var ofStoredForms: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        return decoder
    }
}

/// The common beginning of every stored form, in every version.
struct StoredHeader: Codable {
    let version: Int
}
