import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an endpoint of a provider's answered, of any status, and what its time says of the two clocks.
///
/// All of it is the provider's word.
struct ProviderAnswer: Sendable {
    let status: Int
    let fields: HTTPFields
    /// May hold secrets.
    let body: [UInt8]
    /// How far the provider's clock is ahead of this device's.
    var offset: ClockOffset { learnedOffset ?? .zero }
    /// The same; nil where it does not say.
    let learnedOffset: ClockOffset?

    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether the body says that it is of a media type, whatever its parameters are.
    func isOfType(_ type: String) -> Bool {
        let said = (fields[.contentType] ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
        return ASCIIText.equalIgnoringCase(ASCIIText.trimmed(said), type.utf8)
    }
}
