// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

/// A response of a provider's endpoint, of any status, all of it untrusted.
struct ProviderResponse: Sendable {
    let status: Int
    let fields: HTTPFields
    /// The body, which may contain secrets.
    let body: [UInt8]
    /// The provider's clock minus this device's; zero if unknown.
    var offset: ClockOffset { learnedOffset ?? .zero }
    /// The same as the `Date` field reveals it; nil if it doesn't.
    let learnedOffset: ClockOffset?
    /// The values that its request held, which no error may repeat.
    var sent = SentValues()

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Returns whether the content type is a media type, with any parameters.
    func isOfType(_ type: String) -> Bool {
        let said = (fields[.contentType] ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
        return ASCIIText.equalIgnoringCase(ASCIIText.trimmed(said), type.utf8)
    }
}
