// SPDX-License-Identifier: Apache-2.0

import AuthSession
import OpenIDConnect
import OpenIDSession

extension SessionBackend {
    /// The provider that a user or a program itself signs in at; nil for an app's own backend.
    var anyProvider: OpenIDProvider? { provider ?? program?.provider }

    /// Whether the sessions have no user, because a program itself signs in.
    var isOfProgram: Bool { program != nil }

    /// Returns the name of a session's user, safe to show, or the words for a session without one.
    func name(of user: SessionUser?) -> String {
        if let program { return "no user (\(program.grant.title))" }
        return (user?.displayName ?? user?.id).flatMap { Terminal.shown($0) } ?? "an unnamed user"
    }
}

extension ProgramGrant {
    /// The name of the grant within a sentence.
    fileprivate var title: String {
        switch self {
        case .clientCredentials: "client credentials"
        case .jwtBearer: "JWT bearer"
        case .tokenExchange: "token exchange"
        }
    }

    /// The name of the grant in the JSON of `status`.
    var contract: String {
        switch self {
        case .clientCredentials: "clientCredentials"
        case .jwtBearer: "jwtBearer"
        case .tokenExchange: "tokenExchange"
        }
    }
}

extension AuthSession {
    /// The words for the session within a sentence: whose it is, and where.
    nonisolated var title: String {
        let user: SessionUser? = if case .signedIn(let known, _) = state { known } else { nil }
        let client = backend.isOfProgram ? backend.anyProvider?.client.id : nil
        let owner = client.map { "the client \(Terminal.shown($0) ?? "")" } ?? backend.name(of: user)
        return "the session of \(owner) at \(backend.baseURL)"
    }
}
