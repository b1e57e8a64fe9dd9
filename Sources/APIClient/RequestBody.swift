// SPDX-License-Identifier: Apache-2.0

public import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a request, in memory, with its media type.
public struct RequestBody: Sendable, Redacted {
    let bytes: [UInt8]
    let contentType: String?

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - bytes: The bytes. May hold secrets.
    ///   - contentType: The media type, sent as `Content-Type` unless the endpoint's headers have that field; nil if the
    ///     body has no type. [RFC 9110, 8.3](https://www.rfc-editor.org/rfc/rfc9110#section-8.3).
    public init(_ bytes: [UInt8], contentType: String? = nil) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// Encodes a value as JSON.
    ///
    /// - Throws: `EncodingError` if the value can't be written as JSON; an error of its own encoding.
    ///
    /// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
    public static func json(_ value: some Encodable) throws -> RequestBody {
        RequestBody(Array(try JSONEncoder().encode(value)), contentType: "application/json")
    }

    /// Creates a form.
    ///
    /// All but unreserved characters are percent-encoded as UTF-8. A space is `%20`, which every decoder reads.
    ///
    /// - Parameter fields: The names and values in order, not encoded; a name may come twice. May hold secrets.
    ///
    /// [URL, 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
    public static func form(_ fields: [(String, String)]) -> RequestBody {
        RequestBody(Array(FormEncoding.encode(fields).utf8), contentType: "application/x-www-form-urlencoded")
    }
}
