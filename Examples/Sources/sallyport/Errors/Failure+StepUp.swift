// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession
import TerminalOutput

/// The failure for a step-up challenge ([RFC 9470](https://www.rfc-editor.org/rfc/rfc9470)).
extension Failure {
    /// Creates the failure, with the command that answers the challenge.
    ///
    /// - Parameters:
    ///   - challenge: The challenge. Untrusted.
    ///   - session: The session whose token was sent.
    ///   - profile: The session's profile.
    init(_ challenge: StepUpChallenge, of session: any KeptSession, profile: String) async {
        // A server may repeat the token in what it asks for.
        let token = session.freshCredential?.accessToken.unredacted
        let values = challenge.acrValues.filter { value in token.map { !value.contains($0) } ?? true }
        let challenge = StepUpChallenge(acrValues: values, maxAge: challenge.maxAge)
        let demands = [
            challenge.acrValues.isEmpty ? nil : "with \(challenge.acrValues.joined(separator: " or "))",
            challenge.maxAge.map { "at most \($0.components.seconds) seconds ago" },
        ].compactMap(\.self)
        let signIn = demands.isEmpty ? "a new sign-in" : "a sign-in \(demands.joined(separator: ", "))"
        let message = "The API requires \(signIn) (insufficient_user_authentication)."
        if session is ProgramSession {
            self.init(.failed, message, "This session has no user who could sign in. Ask the API's operator.")
            return
        }
        guard session.anyProvider != nil else {
            self.init(.failed, message, "The session stays. Ask the API's operator how to sign in at this backend.")
            return
        }
        let command = Self.login(profile: profile, challenge)
        self.init(.failed, message, "The session stays. Sign in as required: \(command)")
    }

    /// Returns the command line that signs in as a challenge requires, for a user who copies it into a shell.
    ///
    /// The challenge is untrusted: a shell must not execute a part of it, nor the tool take one for an option.
    private static func login(profile: String, _ challenge: StepUpChallenge) -> String {
        var words = ["sallyport login --step-up"]
        func add(_ name: String, _ value: String) {
            words.append("\(name)\(value.hasPrefix("-") ? "=" : " ")\(ShellWord.quoted(value))")
        }
        if profile != "default" { add("--profile", profile) }
        if !challenge.acrValues.isEmpty { add("--acr-values", challenge.acrValues.joined(separator: " ")) }
        if let maxAge = challenge.maxAge { add("--max-age", "\(maxAge.components.seconds)") }
        return words.joined(separator: " ")
    }
}
