// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore

/// `sallyport status`: prints the state of the session.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the user, the access token's expiry, the session's store, and the connection to the server.",
        usage: "sallyport status [--json] [options]",
        examples: [
            Example("Ask who is signed in", "status"),
            Example("Give a script the state of another session", "status --profile work --json"),
        ]
    )

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let session = try await global.storedSession()
        let state = await session.validate()
        try await session.finish()
        guard case .signedIn(let user, let connectivity) = state else {
            throw await session.whyAbsent()
        }
        let end = session.accessTokenLifetime?.expiresAt
        let protection = await session.protection
        if json {
            try JSONOutput.print(
                Report(
                    profile: global.profile,
                    store: protection.description,
                    backend: session.backend.baseURL.description,
                    contract: session.contractName,
                    user: user,
                    accessTokenExpiresAt: end,
                    online: connectivity == .online,
                    issuer: session.backend.anyProvider?.metadata.issuer.identifier,
                    clientID: session.backend.anyProvider?.client.id,
                    sub: session.backend.provider == nil ? nil : user?.id,
                    missingScope: await session.missingScope?.description,
                    canRefresh: session.backend.anyProvider == nil ? nil : await session.canRefresh,
                    refreshRefused: await session.refreshRefusal.map { Report.Refusal($0) }
                )
            )
        } else {
            var lines = lines(user, connectivity, end, session, protection)
            lines += await refreshLines(session)
            Terminal.result(lines.joined(separator: "\n"))
        }
    }

    /// Returns the lines about what the session lacks, and what helps.
    private func refreshLines(_ session: AuthSession) async -> [String] {
        let shortfall = await SessionShortfall(session)
        let refusal = await session.refreshRefusal.map { refusal in
            let code = refusal.code.flatMap { Terminal.shown($0.rawValue, limit: 64) } ?? "no reason given"
            let said = refusal.message.flatMap { Terminal.shown($0) }.map { ": “\($0)”" } ?? ""
            return "Refresh       refused since \(RelativeTime.moment(refusal.since)) (\(code))\(said); sign in again"
        }
        return [
            refusal, shortfall.refreshAdvice.map { "Refresh       no refresh token; \($0)" },
            shortfall.missingScope.map { "Not granted   \($0)" },
        ].compactMap(\.self)
    }

    private func lines(
        _ user: SessionUser?,
        _ connectivity: SessionState.Connectivity,
        _ end: Date?,
        _ session: AuthSession,
        _ protection: StoreProtection
    ) -> [String] {
        let role = user?.role.flatMap({ Terminal.shown($0) }).map { " (\($0))" } ?? ""
        let token =
            end.map { ($0 > Date() ? "until " : "expired at ") + RelativeTime.moment($0) }
            ?? "until the server refuses it"
        return [
            "Signed in as  \(session.backend.name(of: user))\(role)",
            "\(session.backend.anyProvider == nil ? "Backend " : "Provider")      \(session.backend.baseURL)",
            "Access token  \(token)",
            "Kept in       \(protection), profile \(global.profile)",
            "Server        \(connectivity == .online ? "online" : "offline, the session stays")",
        ]
    }

    private struct Report: Encodable {
        let profile: String
        let store: String
        let backend: String
        let contract: String
        let user: SessionUser?
        let accessTokenExpiresAt: Date?
        let online: Bool
        let issuer: String?
        let clientID: String?
        let sub: String?
        let missingScope: String?
        let canRefresh: Bool?
        let refreshRefused: Refusal?

        struct Refusal: Encodable {
            let code: String?
            let message: String?
            let since: Date

            init(_ refusal: RefreshRefusal) {
                code = refusal.code?.rawValue
                message = refusal.message
                since = refusal.since
            }
        }
    }
}

extension AuthSession {
    /// Returns the error that explains why no user is signed in any more.
    func whyAbsent() async -> any Error {
        do {
            _ = try await accessToken()
            return Failure(.failed, "The session changed during the command.", "Try again.")
        } catch {
            return error
        }
    }
}
