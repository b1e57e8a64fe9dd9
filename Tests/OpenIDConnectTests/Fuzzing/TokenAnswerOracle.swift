import Foundation
import HTTPTypes

@testable import AuthCore
@testable import OpenIDConnect

/// What must hold for a token endpoint's answer whatever it says: the fuzzer's judge, and the one of its inputs.
///
/// Nothing may crash. What is taken came with the status of a yes, is of the type that was asked for, and says what
/// Foundation reads in it too; and no error shows a token.
enum TokenAnswerOracle {
    /// Reads bytes as the body of an answer.
    ///
    /// - Returns: What is wrong; nil where nothing is.
    static func complaint(about bytes: [UInt8]) -> String? {
        let said = try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes))
        for status in [200, 400] {
            let answer = ProviderAnswer(status: status, fields: [:], body: bytes, learnedOffset: nil)
            for isBound in [false, true] {
                let complaint: String?
                do {
                    let response = try TokenResponse(answer, isBound: isBound, settings)
                    guard status == 200 else { return "a no is taken for a yes" }
                    guard let said else { return "taken here, and refused by Foundation" }
                    complaint = Self.complaint(about: response, isBound: isBound, said: said)
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
    ) -> String? {
        let wanted = isBound ? "dpop" : "bearer"
        guard let type = said["token_type"]?.string, type.utf8.elementsEqual(wanted.utf8) || type.lowercased() == wanted
        else { return "another type of token is taken" }
        let tokens = [
            ("access_token", response.accessToken.unredacted), ("refresh_token", response.refreshToken?.unredacted),
            ("id_token", response.idToken?.unredacted),
        ]
        for (name, token) in tokens where name != "id_token" || !response.hasMalformedIDToken {
            guard token.map({ Array($0.utf8) }) == said[name]?.string.map({ Array($0.utf8) }) else {
                return "two readings of \(name)"
            }
            // It goes into a header field or a form.
            guard token?.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) ?? true else { return "\(name) is no token" }
        }
        guard response.accessToken.unredacted.utf8.allSatisfy({ $0 != 0x20 }), !response.accessToken.unredacted.isEmpty
        else { return "an access token is no single credential" }
        if let seconds = response.expiresIn {
            guard (0...3_155_760_000).contains(seconds) else { return "a lifetime that is none" }
        } else if let value = said["expires_in"], value != .null {
            return "a lifetime is left out"
        }
        let start = Date(timeIntervalSince1970: 0)
        let set = response.tokens(requestedAt: start, idToken: response.idToken)
        _ = set.lifetime.freshness(at: start, window: .shortLivedToken)
        return complaintAboutText("\(response) \(set)", of: said)
    }

    private static func complaint(about error: TokenEndpointError, said: [String: JSONValue]?) -> String? {
        let text = "\(error) \(error.localizedDescription)"
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "an error says what drives a terminal"
        }
        // What a provider says of its no is shown as it stands.
        guard let said, said["error"] == nil, said["error_description"] == nil else { return nil }
        return complaintAboutText(text, of: said)
    }

    /// Nothing printed holds a token; a short one is part of many a word.
    private static func complaintAboutText(_ text: String, of said: [String: JSONValue]) -> String? {
        for name in ["access_token", "refresh_token", "id_token"] {
            guard let token = said[name]?.string, token.utf8.count >= 20 else { continue }
            if text.contains(token) { return "\(name) is shown" }
        }
        return nil
    }
}
