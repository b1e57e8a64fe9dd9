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
    /// - Returns: The violated invariant; nil if there is none.
    static func complaint(about bytes: [UInt8]) -> String? {
        guard requests.count == 2 else { return "no request" }
        let text = String(decoding: bytes, as: UTF8.self)
        let reading = QueryReading(text)
        for request in requests {
            let outcome = Outcome { () throws(AuthorizationError) in
                try AuthorizationResponse(query: text, answering: request)
            }
            if let complaint = complaint(about: outcome, of: reading, to: request)
                ?? complaintAboutAnswering(text, reading, request) ?? complaintAboutAddress(text, request)
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
            state: state
        )
    }

    private static func complaint(
        about outcome: Outcome,
        of reading: QueryReading,
        to request: AuthorizationRequest
    ) -> String? {
        switch outcome {
        case .taken(let code):
            guard reading.values("state") == [state] else { return "taken without exactly one state, the right one" }
            guard !code.isEmpty, reading.values("code").map({ Array($0.utf8) }) == [Array(code.utf8)] else {
                return "taken without exactly one code"
            }
            guard reading.values("error").isEmpty else { return "taken with an error" }
            guard reading.isRight(for: request) else { return "taken with another issuer, or what is named twice" }
        case .refused(let code, let description):
            if reading.isRight(for: request) { return "refused what is right" }
            let isStrangers = reading.isReadable && !reading.values("state").contains(state)
            if isStrangers, code != .stateMismatch, code != .malformed {
                return "a stranger's answer is taken for the provider's"
            }
            if description.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                return "an error says what drives a terminal"
            }
            if description.contains(state) { return "an error says the state" }
        }
        return nil
    }

    /// Checks the test that the listener applies before it ends its wait.
    private static func complaintAboutAnswering(
        _ text: String,
        _ reading: QueryReading,
        _ request: AuthorizationRequest
    ) -> String? {
        let isResponse = AuthorizationResponse.isResponse(query: text, to: request)
        return isResponse == reading.values("state").contains(state) ? nil : "two readings of one state"
    }

    private static func complaintAboutAddress(_ text: String, _ request: AuthorizationRequest) -> String? {
        // Appended to the redirect URI, the text is a query up to the fragment.
        let query = String(decoding: text.utf8.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
        let behind = Outcome { () throws(AuthorizationError) in
            try AuthorizationResponse(redirectedTo: request.redirectURI + "?" + text, answering: request)
        }
        let alone = Outcome { () throws(AuthorizationError) in
            try AuthorizationResponse(query: query, answering: request)
        }
        guard behind == alone else { return "a query is another one in an address" }
        // The text as the URL itself.
        guard let taken = try? AuthorizationResponse(redirectedTo: text, answering: request) else { return nil }
        let parts = query.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        guard parts.count == 2 else { return "an address without a query is taken" }
        let head = String(decoding: parts[0], as: UTF8.self).lowercased()
        guard [request.redirectURI, request.redirectURI + "/"].contains(head) else { return "another address is taken" }
        let reading = QueryReading(String(decoding: parts[1], as: UTF8.self))
        return complaint(about: .taken(taken.code), of: reading, to: request)
    }

    /// The outcome of a response.
    private enum Outcome: Equatable {
        case taken(String)
        case refused(AuthorizationError.Code, String)

        init(_ read: () throws(AuthorizationError) -> AuthorizationResponse) {
            do {
                self = .taken(try read().code)
            } catch {
                self = .refused(error.code, "\(error) \(error.localizedDescription)")
            }
        }
    }
}
