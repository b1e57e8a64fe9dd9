// SPDX-License-Identifier: Apache-2.0

import AuthCore

extension MalformedJWT {
    private static let header = CompactJWT.encode(CompactJWT.header)
    private static let payload = CompactJWT.encode("{}")

    /// Returns a token with a claim whose string contains the bytes.
    private static func bytes(_ bytes: [UInt8]) -> String {
        CompactJWT.join(header, Base64URL.encode(Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)), "")
    }

    static let shapes: [MalformedJWT] = [
        MalformedJWT("empty", "", .notThreeParts),
        MalformedJWT("no dot", "abc", .notThreeParts),
        MalformedJWT("one dot", CompactJWT.join(header, payload), .notThreeParts),
        MalformedJWT("four parts", CompactJWT.join(header, payload, "", ""), .notThreeParts),
        MalformedJWT("six parts", CompactJWT.join(header, payload, "", "", "", ""), .notThreeParts),
        MalformedJWT("five parts, as an encrypted token has", CompactJWT.join(header, "", "", "", ""), .encrypted),
        MalformedJWT(
            "one byte too long",
            String(repeating: "A", count: UnverifiedJWT.maximumLength + 1),
            .tooLong
        ),
        MalformedJWT("a million dots", String(repeating: ".", count: 1_000_000), .tooLong),
        MalformedJWT("a leading space", " " + CompactJWT.make(), .invalidBase64URL, .header),
        MalformedJWT("a trailing line break", CompactJWT.make() + "\n", .invalidBase64URL, .signature),
        MalformedJWT("a Bearer prefix", "Bearer " + CompactJWT.make(), .invalidBase64URL, .header),
        MalformedJWT("only the separators", "..", .invalidJSON, .header),
        MalformedJWT("a tab inside", CompactJWT.join("e\tyI", payload, ""), .invalidBase64URL, .header),
        MalformedJWT("a NUL inside", CompactJWT.join("e\u{0}yI", payload, ""), .invalidBase64URL, .header),
        MalformedJWT("a comma instead of a dot", header + "," + payload + ".", .notThreeParts),
        MalformedJWT("a fullwidth dot", header + "\u{FF0E}" + payload + ".", .notThreeParts),
        MalformedJWT("surrounding quotes", "\"" + CompactJWT.make() + "\"", .invalidBase64URL, .header),
        MalformedJWT("two tokens, which make five parts", CompactJWT.make() + " " + CompactJWT.make(), .encrypted),
        MalformedJWT("the JSON serialization", #"{"payload":"e30","signatures":[]}"#, .notThreeParts),
    ]

    static let encodings: [MalformedJWT] = [
        MalformedJWT("padded header", CompactJWT.join(header + "=", payload, ""), .invalidBase64URL, .header),
        MalformedJWT("padded payload", CompactJWT.join(header, payload + "=", ""), .invalidBase64URL, .payload),
        MalformedJWT("padded signature", CompactJWT.join(header, payload, "AA=="), .invalidBase64URL, .signature),
        MalformedJWT("the alphabet of base64", CompactJWT.join(header, payload, "a+/b"), .invalidBase64URL, .signature),
        MalformedJWT(
            "a signature of one character",
            CompactJWT.join(header, payload, "A"),
            .invalidBase64URL,
            .signature
        ),
        MalformedJWT(
            "non-zero trailing bits in a signature of two characters",
            CompactJWT.join(header, payload, "AB"),
            .invalidBase64URL,
            .signature
        ),
        MalformedJWT(
            "a non-ASCII payload",
            CompactJWT.join(header, "\u{E9}\u{E9}", ""),
            .invalidBase64URL,
            .payload
        ),
        MalformedJWT("a header that is not UTF-8", CompactJWT.join("_w", payload, ""), .invalidUTF8, .header),
        MalformedJWT(
            "a claim that is not UTF-8",
            CompactJWT.join(header, Base64URL.encode(Array(#"{"a":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)), ""),
            .invalidUTF8,
            .payload
        ),
        MalformedJWT(
            "an overlong encoding",
            CompactJWT.join(header, Base64URL.encode([0xC0, 0xAE]), ""),
            .invalidUTF8,
            .payload
        ),
        MalformedJWT(
            "a header in UTF-16, whose bytes are UTF-8 too",
            CompactJWT.join(Base64URL.encode(CompactJWT.header.utf8.flatMap { [$0, 0] }), payload, ""),
            .invalidJSON,
            .header
        ),
        MalformedJWT("a header of one character", CompactJWT.join("e", payload, ""), .invalidBase64URL, .header),
        MalformedJWT("a payload of five characters", CompactJWT.join(header, "e30e3", ""), .invalidBase64URL, .payload),
        MalformedJWT("a plus sign in the payload", CompactJWT.join(header, "e3+9", ""), .invalidBase64URL, .payload),
        MalformedJWT("a slash in the header", CompactJWT.join("e/0", payload, ""), .invalidBase64URL, .header),
        MalformedJWT("a line break in the payload", CompactJWT.join(header, "e3\n0", ""), .invalidBase64URL, .payload),
        MalformedJWT("padding in the middle", CompactJWT.join(header, "e3=0", ""), .invalidBase64URL, .payload),
        MalformedJWT("percent encoding", CompactJWT.join(header, "e3%30", ""), .invalidBase64URL, .payload),
        MalformedJWT(
            "non-zero trailing bits in the payload",
            CompactJWT.join(header, "e31", ""),
            .invalidBase64URL,
            .payload
        ),
        MalformedJWT(
            "non-zero trailing bits in the header",
            CompactJWT.join("e31", payload, ""),
            .invalidBase64URL,
            .header
        ),
        MalformedJWT(
            "non-zero trailing bits in a signature of three characters",
            CompactJWT.join(header, payload, "AAB"),
            .invalidBase64URL,
            .signature
        ),
        MalformedJWT(
            "a signature of five characters",
            CompactJWT.join(header, payload, "AAAAA"),
            .invalidBase64URL,
            .signature
        ),
        MalformedJWT(
            "a space in the signature",
            CompactJWT.join(header, payload, "AA A"),
            .invalidBase64URL,
            .signature
        ),
        MalformedJWT("an unpaired surrogate in UTF-8", bytes([0xED, 0xA0, 0x80]), .invalidUTF8, .payload),
        MalformedJWT("a code point above U+10FFFF", bytes([0xF4, 0x90, 0x80, 0x80]), .invalidUTF8, .payload),
        MalformedJWT("a byte of Latin-1", bytes([0xE9]), .invalidUTF8, .payload),
        MalformedJWT("a continuation byte without a leading byte", bytes([0x80]), .invalidUTF8, .payload),
        MalformedJWT("a truncated character", bytes([0xE2, 0x82]), .invalidUTF8, .payload),
        MalformedJWT(
            "a byte order mark",
            CompactJWT.join(header, Base64URL.encode([0xEF, 0xBB, 0xBF] + Array("{}".utf8)), ""),
            .invalidJSON,
            .payload
        ),
    ]
}
