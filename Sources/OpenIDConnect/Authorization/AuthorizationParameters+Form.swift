import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthorizationParameters {
    /// What the protocol has a name for: an additional parameter of such a name would take a check away.
    private static let reserved: Set<String> = [
        "response_type", "client_id", "redirect_uri", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "response_mode", "prompt", "login_hint", "max_age", "acr_values", "ui_locales",
        "claims", "resource", "request", "request_uri", "client_secret", "dpop_jkt",
    ]

    /// The form's fields, beside those that tie request and response together.
    ///
    /// - Throws: ``AuthorizationError`` (`invalidParameters`) where there is no `openid` in the scope, or an additional
    ///   parameter has a name of the protocol's.
    func form() throws(AuthorizationError) -> [(String, String)] {
        // Core, 3.1.2.1: MUST contain openid, or it is no sign-in.
        guard scope.contains("openid"), additional.keys.allSatisfy({ !Self.reserved.contains($0) && !$0.isEmpty })
        else { throw AuthorizationError(.invalidParameters) }
        var form = [("scope", scope.description)]
        func add(_ name: String, _ words: [String]) {
            if !words.isEmpty { form.append((name, words.joined(separator: " "))) }
        }
        add("prompt", prompt.map(\.rawValue))
        if let loginHint { form.append(("login_hint", loginHint)) }
        if let maximumAge { form.append(("max_age", "\(max(0, maximumAge.components.seconds))")) }
        add("acr_values", acrValues)
        add("ui_locales", uiLocales)
        if let claims {
            do {
                form.append(("claims", String(decoding: try JSONEncoder().encode(claims), as: UTF8.self)))
            } catch {
                throw AuthorizationError(.invalidParameters)
            }
        }
        form += resources.map { ("resource", $0) }
        return form + additional.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
