// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
internal import Logging
internal import NIOHTTP1

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The client of Apple's token endpoint.
struct AppleTokenClient: Sendable {
    let client: HTTPClient
    /// The token endpoint's address.
    let url: String
    let secret: AppleClientSecret
    let logger: Logger
    /// The time that a call may take.
    var timeout: Duration = .seconds(10)

    /// The reason for which there is no identity token.
    enum Failure: Error {
        /// Apple can't be reached or failed.
        case unavailable
        /// Apple refused the code: it was used before, has expired, or is another client's.
        case codeRefused
        /// Apple refused this backend: its registration or key is wrong.
        case clientRefused
    }

    private struct Tokens: Decodable {
        let id_token: String
    }

    private struct Refusal: Decodable {
        let error: String
    }

    /// Redeems an authorization code.
    ///
    /// - Parameters:
    ///   - code: The code. Secret.
    ///   - servicesID: The client that the code was issued to.
    ///   - redirectURI: The return URL of the request.
    /// - Returns: The identity token, unverified. Secret.
    /// - Throws: ``Failure``; `CryptoKitError` if the client secret can't be signed.
    func identityToken(for code: String, of servicesID: String, redirectURI: String) async throws -> String {
        let fields = [
            ("client_id", servicesID), ("client_secret", try await secret.text(for: servicesID)), ("code", code),
            ("grant_type", "authorization_code"), ("redirect_uri", redirectURI),
        ]
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(
            Data(fields.map { "\($0)=\(FormFields.encode($1))" }.joined(separator: "&").utf8)
        )
        guard let response = try? await OutgoingCall(client: client, timeout: timeout).send(request) else {
            throw Failure.unavailable
        }
        switch response.status {
        case 200:
            guard let tokens = try? JSONDecoder().decode(Tokens.self, from: response.body) else {
                throw Failure.unavailable
            }
            return tokens.id_token
        case 400, 401, 403:
            let error = (try? JSONDecoder().decode(Refusal.self, from: response.body))?.error
            if error == "invalid_grant" { throw Failure.codeRefused }
            // The code is Apple's own word, shortened and without characters that could forge a line.
            let shown = (error ?? "no code").prefix(64).filter { $0.isLetter || $0.isNumber || $0 == "_" }
            logger.error("Apple refuses this backend's client (\(shown)): check team, key and Services ID")
            throw Failure.clientRefused
        default: throw Failure.unavailable
        }
    }
}
