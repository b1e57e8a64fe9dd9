// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

/// A fault of a token, finer than the code of the error that it causes.
enum TokenFault: String, Sendable {
    case tooLong, notThreeParts, encrypted, invalidBase64URL, invalidUTF8, invalidJSON, notAnObject, duplicateMember
    case tooDeep, missingAlgorithm, invalidMember

    enum Part: String, Sendable, CaseIterable {
        case header, payload, signature
    }

    /// The code of the decoder's error.
    var code: JWTDecodingError.Code {
        switch self {
        case .tooLong, .tooDeep: .tooLong
        case .notThreeParts, .invalidBase64URL: .malformed
        case .encrypted: .encrypted
        case .invalidUTF8, .invalidJSON, .notAnObject, .duplicateMember: .invalidJSON
        case .missingAlgorithm, .invalidMember: .invalidMember
        }
    }

    /// The reason of the JSON parser; nil if the text is JSON.
    private var reason: JSONError? {
        switch self {
        case .tooLong: .nameTooLong
        case .tooDeep: .tooDeep
        case .invalidUTF8: .notUTF8
        case .invalidJSON: .syntax
        case .notAnObject: .notAnObject
        case .duplicateMember: .duplicateMember
        case .notThreeParts, .encrypted, .invalidBase64URL, .missingAlgorithm, .invalidMember: nil
        }
    }

    /// Expects that the decoder refuses a token, and that the fault lies in a part.
    func expect(of token: String, in part: Part?, member: String? = nil) {
        let error = #expect(throws: JWTDecodingError.self) { try UnverifiedJWT(token) }
        #expect(error?.code == code)
        #expect(error?.member == (self == .missingAlgorithm ? "alg" : member))
        guard let part else { return }
        let texts = token.split(separator: ".", omittingEmptySubsequences: false)
        for (name, text) in zip(Part.allCases, texts) {
            let bytes = Base64URL.decode(text.utf8)
            guard name == part else {
                // The parts before it are valid.
                #expect(bytes != nil)
                if name == .header { #expect(throws: Never.self) { try JSONValue.object(in: bytes ?? []) } }
                continue
            }
            #expect((bytes == nil) == (self == .invalidBase64URL))
            if let bytes, name != .signature {
                #expect(Self.reason(for: bytes) == reason)
            }
            return
        }
    }

    private static func reason(for bytes: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONValue.object(in: bytes, maximumDepth: 16)
            return nil
        } catch {
            return error
        }
    }
}
