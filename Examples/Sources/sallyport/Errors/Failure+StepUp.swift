// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession
import TerminalOutput

/// The failure for a step-up challenge ([RFC 9470](https://www.rfc-editor.org/rfc/rfc9470)), or for a scope that the
/// token lacks ([RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1)).
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
        func unrepeated(_ values: [String]) -> [String] {
            values.filter { value in token.map { !Self.repeats(value, $0) } ?? true }
        }
        var challenge = StepUpChallenge(
            acrValues: unrepeated(challenge.acrValues),
            maxAge: challenge.maxAge,
            scope: challenge.scope.map { Scope(unrepeated($0.values).joined(separator: " ")) }
        )
        let message = challenge.demand
        if session is ProgramSession {
            let advice =
                challenge.scope == nil
                ? "This session has no user who could sign in. Ask the API's operator."
                : "The session stays. Sign in again with that scope in --scope."
            self.init(.failed, message, advice)
            return
        }
        guard session.anyProvider != nil else {
            self.init(.failed, message, "The session stays. Ask the API's operator how to sign in at this backend.")
            return
        }
        if let missing = challenge.scope {
            guard let user = session as? AuthSession,
                !Set(missing.values).isSubset(of: user.scope?.values ?? [])
            else {
                self.init(.failed, message, "The session stays. Ask the API's operator which scope the call needs.")
                return
            }
            // The new tokens need the scopes of the old ones, too.
            let all = try? await user.stepUpParameters(for: challenge).scope
            challenge = StepUpChallenge(scope: all ?? missing)
        }
        let command = Self.login(profile: profile, challenge)
        self.init(.failed, message, "The session stays. Sign in as required: \(command)")
    }

    /// Whether a text has sixteen bytes in a row of a token, or all of a shorter one: a server may take it apart.
    private static func repeats(_ text: String, _ token: String) -> Bool {
        let (text, token) = (Array(text.utf8), Array(token.utf8))
        let count = min(16, token.count)
        guard count > 0, text.count >= count else { return false }
        let runs = Set(token.indices.dropLast(count - 1).map { token[$0..<$0 + count] })
        return text.indices.dropLast(count - 1).contains { runs.contains(text[$0..<$0 + count]) }
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
        if let scope = challenge.scope { add("--scope", scope.description) }
        return words.joined(separator: " ")
    }
}

extension StepUpChallenge {
    /// The requirement in one sentence.
    fileprivate var demand: String {
        if let scope {
            let named = scope.values.isEmpty ? "another scope and doesn't name it" : "the scope \(scope)"
            return "The API requires \(named) (insufficient_scope)."
        }
        let demands = [
            acrValues.isEmpty ? nil : "with \(acrValues.joined(separator: " or "))",
            maxAge.map { "at most \($0.components.seconds) seconds ago" },
        ].compactMap(\.self)
        let signIn = demands.isEmpty ? "a new sign-in" : "a sign-in \(demands.joined(separator: ", "))"
        return "The API requires \(signIn) (insufficient_user_authentication)."
    }
}
