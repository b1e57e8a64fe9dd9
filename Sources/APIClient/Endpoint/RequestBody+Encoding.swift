// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RequestBody {
    /// Encodes a value as JSON.
    ///
    /// The value is encoded at once: the body is in memory and can be sent any number of times.
    ///
    /// - Parameter value: The value. May hold secrets.
    /// - Returns: The body, whose ``contentType`` is `application/json`.
    /// - Throws: `EncodingError` if the value can't be written as JSON; an error of its own encoding.
    ///
    /// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259).
    public static func json(_ value: some Encodable) throws -> RequestBody {
        var body = RequestBody.bytes(Array(try JSONEncoder().encode(value)))
        body.contentType = "application/json"
        return body
    }

    /// Creates a form from a dictionary literal.
    ///
    /// - Parameter fields: The names and values in order, not encoded; a name may come twice. May hold secrets.
    /// - Returns: The same body as with an array of query items.
    public static func form(_ fields: KeyValuePairs<String, String>) -> RequestBody {
        form(fields.map { QueryItem(name: $0.key, value: $0.value) })
    }

    /// Creates a form.
    ///
    /// All but unreserved characters are percent-encoded as UTF-8. A space is `%20`, which every decoder reads.
    ///
    /// - Parameter fields: The fields in order, not encoded; a name may come twice. May hold secrets.
    /// - Returns: The body, whose ``contentType`` is `application/x-www-form-urlencoded`.
    ///
    /// [URL, 5](https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
    public static func form(_ fields: [QueryItem]) -> RequestBody {
        var body = RequestBody.bytes(Array(RequestTarget.query(fields).utf8))
        body.contentType = "application/x-www-form-urlencoded"
        return body
    }
}
