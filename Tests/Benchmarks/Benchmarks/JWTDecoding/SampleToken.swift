// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An identity token in Apple's format, 912 bytes long; its 256 signature bytes are made up.
enum SampleToken {
    static let header = #"{"kid":"Sf2lFqwkpX","alg":"RS256"}"#
    static let payload = """
        {"iss":"https://appleid.apple.com","aud":"com.example.app","exp":1800086400,"iat":1800000000,\
        "sub":"000123.0123456789abcdef0123456789abcdef.0456","nonce":"\(String(repeating: "6d1f", count: 16))",\
        "c_hash":"Wc1bVYRxWeQ0jPrT0xzQ5A","email":"qz8xk2@privaterelay.appleid.com","email_verified":true,\
        "is_private_email":"true","auth_time":1800000000,"nonce_supported":true}
        """

    static let compact = [Data(header.utf8), Data(payload.utf8), Data(0...255)].map(encode).joined(separator: ".")

    static let bytes = Array(compact.utf8)
    static let payloadData = Data(payload.utf8)

    /// Returns a token of a given length, whose payload is a list of numbers.
    static func long(_ length: Int) -> String {
        let numbers = Array(repeating: "1234567", count: length * 3 / 4 / 8).joined(separator: ",")
        return [Data(header.utf8), Data("{\"a\":[\(numbers)]}".utf8), Data(0...255)].map(encode).joined(separator: ".")
    }

    private static func encode(_ data: Data) -> String {
        data.base64EncodedString()
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// The claims as a typed decoder reads them.
    struct Claims: Decodable {
        let iss: String
        let sub: String
        let aud: String
        let exp: Double
        let iat: Double
        let nonce: String?
        let email: String?
        let email_verified: Bool?
    }

    struct Header: Decodable {
        let alg: String
        let kid: String?
    }

    /// Decodes the token with Foundation alone: split, base64url to base64, `JSONDecoder`.
    static func decodeWithFoundation() throws -> Claims {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw CocoaError(.coderInvalidValue) }
        let decoder = JSONDecoder()
        _ = try decoder.decode(Header.self, from: data(parts[0]))
        return try decoder.decode(Claims.self, from: data(parts[1]))
    }

    private static func data(_ part: Substring) throws -> Data {
        var text = part.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text) else { throw CocoaError(.coderInvalidValue) }
        return data
    }
}
