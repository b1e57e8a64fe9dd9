// SPDX-License-Identifier: Apache-2.0

import AuthSession
import OpenIDConnect
import OpenIDSession

/// A sign-in whose redirect the user pastes: the browser may be on another machine, where no listener waits.
struct PastedRedirect: Sendable {
    let redirectURI: String
    let timeout: Duration

    /// Signs in.
    ///
    /// An address that is not the response is reported, and the next line is read.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - parameters: The parameters of the authorization request.
    ///   - help: The help if no address is pasted.
    /// - Returns: The user.
    /// - Throws: ``Failure``; `OpenIDError`; `AuthSessionError`; `CancellationError`.
    func signIn(
        to session: AuthSession,
        _ parameters: AuthorizationParameters,
        _ help: BrowserHelp
    ) async throws -> SessionUser? {
        let url = try await session.beginSignIn(redirectURI: redirectURI, parameters)
        // Before the prompt, so that a terminal takes the whole address.
        let lines = StandardInput.lines(for: timeout)
        Browser.show(url)
        Terminal.note("Paste the address that the browser ends at, also if the page can't be shown, and press Enter:")
        if let provider = session.provider {
            help.begin(
                AuthorizationRequest(
                    provider: provider.metadata,
                    clientID: provider.client.id,
                    redirectURI: redirectURI,
                    parameters: parameters,
                    nonce: ""
                )
            )
        }
        defer { help.end() }
        do {
            for await line in lines where !line.isEmpty {
                // A response is used up by the attempt, so that one whose end is missing must not be tried.
                guard line.contains("code=") || line.contains("error=") else {
                    Terminal.note("This address has no code. Paste the whole address.")
                    continue
                }
                do {
                    return try await session.completeSignIn(redirectedTo: line)
                } catch let error as OpenIDError
                    where error.reason == .redirectMismatch || error.reason == .stateMismatch
                {
                    Terminal.note(
                        "\(error.description) Paste the whole address, which begins with \(redirectURI) and a question mark."
                    )
                }
            }
            try Task.checkCancellation()
            throw Failure(
                .failed,
                "No address of this sign-in was pasted.",
                help.advice() ?? "Start the sign-in again, and paste the address that the browser ends at."
            )
        } catch {
            if Task.isCancelled { help.show() }
            // Nothing completes it any more. If it can't be removed now, it expires within half an hour.
            try? await session.cancelPendingSignIn()
            throw error
        }
    }
}
