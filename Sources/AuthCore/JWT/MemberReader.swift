#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads typed members out of a header or a set of claims; a wrong type is an error, an absent member is nil.
struct MemberReader {
    let members: [String: JSONValue]
    let part: JWTDecodingError.Part

    /// The last second of the year 9999.
    ///
    /// A later date is a mistake or an attack on date arithmetic.
    private static let latest = 253_402_300_799.0

    func invalid(_ name: String) -> JWTDecodingError {
        JWTDecodingError(.invalidMember, in: part, member: name)
    }

    func string(_ name: String) throws(JWTDecodingError) -> String? {
        guard let value = members[name] else { return nil }
        guard case .string(let text) = value else { throw invalid(name) }
        return text
    }

    func strings(_ name: String) throws(JWTDecodingError) -> [String]? {
        guard let value = members[name] else { return nil }
        guard case .array(let elements) = value else { throw invalid(name) }
        var texts: [String] = []
        for element in elements {
            guard case .string(let text) = element else { throw invalid(name) }
            texts.append(text)
        }
        return texts
    }

    /// `NumericDate`: seconds since 1970, whole or not.
    ///
    /// [RFC 7519, 2](https://www.rfc-editor.org/rfc/rfc7519#section-2).
    func numericDate(_ name: String) throws(JWTDecodingError) -> Date? {
        guard let value = members[name] else { return nil }
        let seconds: Double
        switch value {
        case .integer(let whole): seconds = Double(whole)
        case .number(let fraction): seconds = fraction
        default: throw invalid(name)
        }
        guard (0...Self.latest).contains(seconds) else { throw invalid(name) }
        return Date(timeIntervalSince1970: seconds)
    }
}
