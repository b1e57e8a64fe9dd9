// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes

@testable import AuthCore
@testable import OpenIDConnect

/// The invariants of every token response: judges the inputs of the fuzzer and of the corpus.
///
/// Nothing may crash. An accepted response has a success status, no error, the requested token type, and the values that
/// Foundation reads in it, too. No error shows a token.
enum TokenResponseOracle {
    /// Reads bytes as the body of a response.
    ///
    /// - Returns: The violated invariant; nil if the input violates no invariant.
    static func complaint(about bytes: [UInt8]) -> String? {
        let said = (try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes)))?
            .filter { !["expires_in", "refresh_token"].contains($0.key) || !$0.value.isAbsent }
        for status in [200, 400] {
            let answer = ProviderResponse(status: status, fields: [:], body: bytes, learnedOffset: nil)
            for isBound in [false, true] {
                let complaint: String?
                do {
                    let response = try TokenResponse(answer, isBound: isBound, settings)
                    guard let said else { return "accepted, but rejected by Foundation" }
                    guard status == 200, said["error"] ?? .null == .null else { return "an error response is accepted" }
                    complaint = try Self.complaint(about: response, isBound: isBound, said: said)
                } catch {
                    complaint = Self.complaint(about: error, said: said)
                }
                if let complaint { return complaint }
            }
        }
        return nil
    }

    private static let settings = ProviderSettings()

    private static func complaint(
        about response: TokenResponse,
        isBound: Bool,
        said: [String: JSONValue]
    ) throws(OpenIDError) -> String? {
        let accessToken = try response.access.get().unredacted
        let wanted = isBound ? "dpop" : "bearer"
        guard let type = said["token_type"]?.string, type.utf8.elementsEqual(wanted.utf8) || type.lowercased() == wanted
        else { return "another token type is accepted" }
        let tokens = [
            ("access_token", accessToken), ("refresh_token", response.refreshToken?.unredacted),
            ("id_token", response.idToken?.unredacted),
        ]
        for (name, token) in tokens where name != "id_token" || !response.hasMalformedIDToken {
            guard token.map({ Array($0.utf8) }) == said[name]?.string.map({ Array($0.utf8) }) else {
                return "wrong value of \(name)"
            }
            // The token goes into a header field or a form.
            guard token?.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) ?? true else { return "\(name) is malformed" }
        }
        guard accessToken.utf8.allSatisfy({ $0 != 0x20 }), !accessToken.isEmpty
        else { return "an access token is empty or contains a space" }
        if let seconds = response.expiresIn {
            guard (0...3_155_760_000).contains(seconds) else { return "a lifetime is out of range" }
        } else if let value = said["expires_in"], value != .null {
            return "a lifetime is missing"
        }
        let start = Date(timeIntervalSince1970: 0)
        let set = try response.tokens(requestedAt: start, idToken: response.idToken)
        _ = set.lifetime.freshness(at: start, window: .shortLivedToken)
        return complaintAboutText("\(response) \(set)", of: said)
    }

    private static func complaint(about error: OpenIDError, said: [String: JSONValue]?) -> String? {
        let text = "\(error) \(error.localizedDescription)"
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "an error contains a control character"
        }
        // The provider's own error text may be shown, so it is not searched for tokens.
        guard let said, said["error"] == nil, said["error_description"] == nil else { return nil }
        return complaintAboutText(text, of: said)
    }

    /// Checks that printed text holds no token; short tokens are skipped, as they are part of many words.
    private static func complaintAboutText(_ text: String, of said: [String: JSONValue]) -> String? {
        for name in ["access_token", "refresh_token", "id_token"] {
            guard let token = said[name]?.string, token.utf8.count >= 20 else { continue }
            if text.contains(token) { return "\(name) is printed" }
        }
        return nil
    }
}
