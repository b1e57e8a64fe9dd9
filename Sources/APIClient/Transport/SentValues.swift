// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The values that a call has sent, which no text from its server may repeat.
///
/// A text repeats a value if it contains it, or sixteen bytes in a row of it: servers truncate what they quote. The case
/// doesn't matter, and the text may be percent-encoded. A value of fewer than eight bytes is left out, because it may be
/// one of a server's own words, but not one of four or more with a digit: it may be a PIN.
package struct SentValues: Sendable, Redacted {
    private static let (shortest, shortestWithDigit) = (8, 4)
    private static let longestRun = 16
    /// The part of a value that is looked for, and of a body that is read, in bytes: no secret is longer.
    private static let (longestValue, largestBody) = (16_384, 256 * 1_024)
    /// Parameters that are no secrets, and that make a server's message useful: the protocol's, and a user's profile.
    private static let publicNames: Set = [
        "acr_values", "audience", "client_assertion_type", "client_id", "client_name", "code_challenge_method",
        "display", "email", "grant_type", "grant_types", "jwks", "name", "phone", "phoneNumber", "phone_number",
        "prompt", "redirect_uri", "redirect_uris", "requested_token_type", "resource", "response_mode",
        "response_type", "response_types", "role", "scope", "subject_token_type", "token_endpoint_auth_method",
        "token_endpoint_auth_signing_alg", "token_type_hint", "ui_locales",
    ]
    private static let credentialFields: [HTTPField.Name] = [
        .authorization, .cookie, .proxyAuthorization, .dpop, .apiKey,
    ]

    private var requests: [TransportRequest] = []
    private let texts: [String]

    /// Creates the values of a message that was not sent as a request.
    package init(_ texts: [String] = []) { self.texts = texts }

    mutating func add(_ request: TransportRequest) { requests.append(request) }

    /// Returns whether one of some untrusted texts contains a value, or sixteen bytes of a longer one.
    package func isRepeated(in allTexts: String...) -> Bool {
        let readings = allTexts.flatMap { [Array($0.utf8), FormEncoding.unescaped($0.utf8)] }
            .map { $0.map(ASCIIText.lowercased) }
        // By length, so that the texts are read a few times, however many values there are.
        var known: [Int: Set<ArraySlice<UInt8>>] = [:]
        return (texts + requests.flatMap(Self.values)).contains { value in
            let value = value.utf8.prefix(Self.longestValue).map(ASCIIText.lowercased)
            let hasDigit = value.contains(where: ASCIIText.isDigit)
            if value.count < (hasDigit ? Self.shortestWithDigit : Self.shortest) { return false }
            let count = min(value.count, Self.longestRun)
            let runs = known[count] ?? Set(readings.flatMap { Self.runs(of: count, in: $0) })
            known[count] = runs
            return Self.runs(of: count, in: value).contains(where: runs.contains)
        }
    }

    private static func runs(of count: Int, in bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
        bytes.indices.dropLast(count - 1).lazy.map { bytes[$0..<$0 + count] }
    }

    /// Returns the values in a request's credential fields, query and body; secret.
    private static func values(of request: TransportRequest) -> [String] {
        let head = request.head
        let query = (head.path ?? "").utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().map(text)
        let mediaType = head.headerFields[.contentType]?.utf8.prefix { $0 != UInt8(ascii: ";") } ?? "".utf8[...]
        let isForm = ASCIIText.equalIgnoringCase(ASCIIText.trimmed(mediaType), "application/x-www-form-urlencoded".utf8)
        let forms = query + (isForm ? [text(request.body ?? [])] : [])
        let items = forms.compactMap(FormEncoding.decode).joined()
        let body = isForm ? [] : request.body ?? []
        let json = body.count > largestBody ? nil : try? JSONValue(parsing: body)
        // In any other text, what stands between quotation marks.
        let texts = json.map(strings) ?? body.prefix(largestBody).split(separator: UInt8(ascii: "\"")).map(text)
        return head.headerFields.filter { credentialFields.contains($0.name) }.flatMap(credentials)
            + items.filter { !publicNames.contains($0.0) }.map(\.1) + texts
    }

    /// Returns a field's value, and the parts of it that may be secrets by themselves.
    private static func credentials(in field: HTTPField) -> [String] {
        let parts = field.value.split { " ;=".contains($0) }.map(String.init)
        guard parts.first?.lowercased() == "basic",
            let data = parts.dropFirst().first.flatMap({ text in
                Data(base64Encoded: text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4))
            })
        else { return [field.value] + parts }
        // RFC 6749, 2.3.1: a client's ID, which is no secret, and its secret.
        let secret = data.split(separator: UInt8(ascii: ":"), maxSplits: 1).dropFirst().first ?? data
        return [field.value] + parts + [text(FormEncoding.unescaped(secret)), text(secret)]
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func strings(in value: JSONValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .integer(let number): [String(number)]
        case .array(let elements): elements.flatMap(strings)
        case .object(let members): members.filter { !publicNames.contains($0.key) }.values.flatMap(strings)
        default: []
        }
    }
}

/// An untrusted text, made fit to be shown: bounded, on one line, without control characters.
package enum DisplayText {
    /// The part of a text that is looked at, in bytes: more than is ever shown.
    private static let maximumLength = 8_192

    /// Cleans a text, down to a number of characters.
    ///
    /// Returns nil if nothing is left of it, or if it repeats a value that was sent, before or after it is cleaned.
    package static func clean(_ text: String, limit: Int, sent: SentValues = SentValues()) -> String? {
        let text = String(decoding: text.utf8.prefix(maximumLength), as: UTF8.self)
        let visible = String(String.UnicodeScalarView(text.unicodeScalars.filter(\.isVisible)))
        guard !visible.isEmpty, !sent.isRepeated(in: text, visible) else { return nil }
        return String(String.UnicodeScalarView(visible.unicodeScalars.prefix(limit)))
    }

    /// Cleans an error's code, as any other text.
    ///
    /// A known code is never withheld: a constant reveals nothing, and a session may depend on it.
    package static func code<Code: RawRepresentable<String> & Hashable>(
        _ text: String,
        known: Set<Code>,
        sent: SentValues
    ) -> Code? {
        if text.utf8.count <= 64, let code = Code(rawValue: text), known.contains(code) { return code }
        return clean(text, limit: 64, sent: sent).flatMap { Code(rawValue: $0) }
    }
}
