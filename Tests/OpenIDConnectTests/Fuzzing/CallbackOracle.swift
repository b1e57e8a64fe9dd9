// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import AuthCore
@testable import OpenIDConnect

/// The invariants of every callback: judges the inputs of the fuzzer and of the corpus.
///
/// Nothing may crash. An accepted response answers the request by a second reading, byte by byte; a response that
/// answers it by that reading is accepted.
enum CallbackOracle {
    /// The state of every request, so that inputs can contain it.
    static let state = "the-state-of-the-request-43-characters-long"

    /// Reads bytes as a query, and as a whole URL.
    ///
    /// - Returns: The violated invariant; nil if the input violates no invariant.
    static func complaint(about bytes: [UInt8]) -> String? {
        guard requests.count == 2 else { return "the requests of the oracle are invalid" }
        let text = String(decoding: bytes, as: UTF8.self)
        let reading = ReferenceQuery(text)
        for request in requests {
            let outcome = Outcome { () throws(OpenIDError) in
                try AuthorizationResponse(query: text, to: request)
            }
            if let complaint = complaint(about: outcome, of: reading, to: request)
                ?? complaintAboutState(text, reading, request) ?? complaintAboutURL(text, request)
            {
                return complaint
            }
        }
        return nil
    }

    /// One request to the app's own scheme, and one to the loopback interface of a provider that promised its issuer.
    private static let requests: [AuthorizationRequest] = [
        ("recipe://callback", false), ("http://127.0.0.1:49152/callback", true),
    ].compactMap { redirectURI, promised in
        let document = """
            {"issuer":"https://op.example","authorization_endpoint":"https://op.example/authorize",\
            "token_endpoint":"https://op.example/token","jwks_uri":"https://op.example/keys",\
            "authorization_response_iss_parameter_supported":\(promised)}
            """
        guard let issuer = try? Issuer("https://op.example"), let state = try? OAuthState(state),
            let provider = try? ProviderMetadata(Array(document.utf8), of: issuer)
        else { return nil }
        return AuthorizationRequest(
            provider: provider,
            clientID: "client",
            redirectURI: redirectURI,
            parameters: AuthorizationParameters(),
            nonce: "nonce",
            dpopKey: nil,
            state: state,
            codeVerifier: CodeVerifier()
        )
    }

    private static func complaint(
        about outcome: Outcome,
        of reading: ReferenceQuery,
        to request: AuthorizationRequest
    ) -> String? {
        switch outcome {
        case .accepted(let code):
            guard reading.values("state") == [state] else { return "accepted without exactly one matching state" }
            guard !code.isEmpty, reading.values("code").map({ Array($0.utf8) }) == [Array(code.utf8)] else {
                return "accepted without exactly one code"
            }
            guard reading.values("error").isEmpty else { return "accepted with an error" }
            guard reading.isValid(for: request) else { return "accepted with another issuer or a duplicate parameter" }
        case .rejected(let error, let description):
            if reading.isValid(for: request) { return "a valid response is rejected" }
            let hasForeignState = reading.isReadable && !reading.values("state").contains(state)
            if hasForeignState, error.reason != .stateMismatch, error.code != .malformedResponse {
                return "a foreign response is reported as the provider's"
            }
            if description.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                return "an error contains a control character"
            }
            if description.contains(state) { return "an error contains the state" }
        }
        return nil
    }

    /// Checks the test that the listener applies before it ends its wait.
    private static func complaintAboutState(
        _ text: String,
        _ reading: ReferenceQuery,
        _ request: AuthorizationRequest
    ) -> String? {
        let isResponse = AuthorizationResponse.isResponse(query: text, to: request)
        return isResponse == reading.values("state").contains(state) ? nil : "two checks of the state disagree"
    }

    private static func complaintAboutURL(_ text: String, _ request: AuthorizationRequest) -> String? {
        // Appended to the redirect URI, the text is a query up to the fragment.
        let query = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
        let behind = Outcome { () throws(OpenIDError) in
            try AuthorizationResponse(redirectedTo: request.redirectURI + "?" + text, to: request)
        }
        let alone = Outcome { () throws(OpenIDError) in
            try AuthorizationResponse(query: query, to: request)
        }
        guard behind == alone else { return "a query is read differently in a URL" }
        // The text as the URL itself.
        guard let accepted = try? AuthorizationResponse(redirectedTo: text, to: request) else { return nil }
        let parts = query.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        guard parts.count == 2 else { return "a URL without a query is accepted" }
        let head = String(decoding: parts[0], as: UTF8.self).lowercased()
        guard [request.redirectURI, request.redirectURI + "/"].contains(head) else { return "another URI is accepted" }
        let reading = ReferenceQuery(String(decoding: parts[1], as: UTF8.self))
        return complaint(about: .accepted(accepted.code), of: reading, to: request)
    }

    /// The outcome of a response.
    private enum Outcome: Equatable {
        case accepted(String)
        case rejected(OpenIDError, String)

        init(_ read: () throws(OpenIDError) -> AuthorizationResponse) {
            do {
                self = .accepted(try read().code)
            } catch {
                self = .rejected(error, "\(error) \(error.localizedDescription)")
            }
        }
    }
}
