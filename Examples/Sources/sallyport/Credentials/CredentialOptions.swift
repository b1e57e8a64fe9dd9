// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser

/// The servers to which a command gives the token, for a program that presents it by itself.
struct CredentialOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "A server, or a path of it, that gets the token: on https, or on loopback if the issuer is. Repeatable.",
            valueName: "url"
        )
    )
    var urls: [String]

    /// Returns the addresses that get the token, and notes those that never do.
    func scopes(noting: Bool) throws -> [CredentialScope] {
        let scopes = try urls.map { try CredentialScope($0) }
        if noting, scopes.contains(where: { !$0.isSecure }) {
            Terminal.note("sallyport: A --for URL on plain http is ignored, because it is not on loopback.")
        }
        return scopes
    }
}

extension GlobalOptions {
    /// Returns the access token for a program that presents it to a server, and asks for nothing.
    ///
    /// - Parameters:
    ///   - program: The program, for the message of a failure.
    ///   - server: The server, which the user named.
    /// - Throws: ``Failure`` if the token is bound to a key, or must not go to plain http; the errors of the session.
    func bearerToken(for program: String, at server: BaseURL) async throws -> CurrentToken {
        let session = try await storedSessionWithoutPrompt()
        try session.checkScheme(of: server)
        let current = try await session.bearerToken(for: program, orAdvise: "Sign in without --dpop.")
        try await session.finish()
        return current
    }
}
