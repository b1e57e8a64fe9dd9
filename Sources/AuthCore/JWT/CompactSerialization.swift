// SPDX-License-Identifier: Apache-2.0

/// The decoded parts of a token's compact form.
///
/// [RFC 7515, 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1).
struct CompactSerialization {
    /// The header, followed by the payload.
    let bytes: [UInt8]
    /// The number of bytes that belong to the header.
    let headerCount: Int

    init(_ compact: String, limits: JWTLimits) throws(JWTDecodingError) {
        var compact = compact
        // Safe: the buffer is read within the call that lends it.
        self = try compact.withUTF8 { buffer in unsafe Self.read(buffer.span, limits) }.get()
    }

    /// Decodes the payload only; the parts around it have to be present.
    static func payload(of compact: String, limits: JWTLimits) throws(JWTDecodingError) -> [UInt8] {
        var compact = compact
        // Safe: the buffer is read within the call that lends it.
        return try compact.withUTF8 { buffer in unsafe readPayload(buffer.span, limits) }.get()
    }

    private init(bytes: [UInt8], headerCount: Int) {
        self.bytes = bytes
        self.headerCount = headerCount
    }

    private static func read(
        _ text: Span<UInt8>,
        _ limits: JWTLimits
    ) -> Result<CompactSerialization, JWTDecodingError> {
        guard text.count <= limits.length else { return .failure(JWTDecodingError(.tooLong)) }
        guard let (first, second) = dots(in: text) else { return .failure(JWTDecodingError(.notThreeParts)) }
        var headerCount = 0
        var fault: JWTDecodingError.Part?
        let count = Base64URL.decodedCount(first) + Base64URL.decodedCount(second - first)
        let bytes = [UInt8](capacity: count) { output in
            if !Base64URL.decode(text.extracting(0..<first), into: &output) { fault = .header }
            headerCount = output.count
            if fault == nil, !Base64URL.decode(text.extracting((first + 1)..<second), into: &output) {
                fault = .payload
            }
        }
        if fault == nil, !Base64URL.isValid(text.extracting((second + 1)..<text.count)) { fault = .signature }
        if let fault { return .failure(error(fault, in: text, behind: second)) }
        return .success(CompactSerialization(bytes: bytes, headerCount: headerCount))
    }

    private static func readPayload(_ text: Span<UInt8>, _ limits: JWTLimits) -> Result<[UInt8], JWTDecodingError> {
        guard text.count <= limits.length else { return .failure(JWTDecodingError(.tooLong)) }
        guard let (first, second) = dots(in: text) else { return .failure(JWTDecodingError(.notThreeParts)) }
        guard dot(in: text, from: second + 1) == nil else {
            return .failure(error(.signature, in: text, behind: second))
        }
        var isValid = true
        let bytes = [UInt8](capacity: Base64URL.decodedCount(second - first)) { output in
            isValid = Base64URL.decode(text.extracting((first + 1)..<second), into: &output)
        }
        return isValid ? .success(bytes) : .failure(JWTDecodingError(.invalidBase64URL, in: .payload))
    }

    /// Returns the error for a part that is not base64url; a text with more than two dots is not a signed token.
    private static func error(
        _ part: JWTDecodingError.Part,
        in text: Span<UInt8>,
        behind second: Int
    ) -> JWTDecodingError {
        guard let third = dot(in: text, from: second + 1) else { return JWTDecodingError(.invalidBase64URL, in: part) }
        // RFC 7516, 3: five parts are the compact form of an encrypted token.
        let isEncrypted = dot(in: text, from: third + 1).map { dot(in: text, from: $0 + 1) == nil } ?? false
        return JWTDecodingError(isEncrypted ? .encrypted : .notThreeParts)
    }

    /// Returns the positions of the first two dots.
    private static func dots(in text: Span<UInt8>) -> (Int, Int)? {
        guard let first = dot(in: text, from: 0), let second = dot(in: text, from: first + 1) else { return nil }
        return (first, second)
    }

    private static func dot(in text: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while let bytes = EightBytes(text, at: index) {
            if let offset = bytes.firstIndex(of: UInt8(ascii: ".")) { return index + offset }
            index += 8
        }
        while index < text.count {
            if text[index] == UInt8(ascii: ".") { return index }
            index += 1
        }
        return nil
    }
}
