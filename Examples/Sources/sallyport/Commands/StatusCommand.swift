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
        let session = try await global.storedSession(noteUnsent: { Terminal.note($0) })
        let (user, isOnline) = try await session.checked()
        let end = await session.accessTokenLifetime?.expiresAt
        let protection = await session.protection
        if json {
            try JSONOutput.print(
                Report(
                    profile: global.profile,
                    store: protection.description,
                    backend: session.server.description,
                    contract: session.contractName,
                    user: user,
                    accessTokenExpiresAt: end,
                    online: isOnline,
                    issuer: session.anyProvider?.metadata.issuer.identifier,
                    clientID: session.anyProvider?.client.id,
                    sub: session.anyProvider == nil ? nil : user?.id,
                    missingScope: await session.missingScope?.description,
                    canRefresh: session.anyProvider == nil ? nil : await session.canRefresh,
                    refreshRefused: await (session as? AuthSession)?.refreshRefusal.map { Report.Refusal($0) }
                )
            )
        } else {
            var lines = lines(user, isOnline, end, session, protection)
            lines += await refreshLines(session)
            Terminal.result(lines.joined(separator: "\n"))
        }
    }

    /// Returns the lines about what the session lacks, and what helps.
    private func refreshLines(_ session: any KeptSession) async -> [String] {
        let shortfall = await SessionShortfall(session)
        let refusal = await (session as? AuthSession)?.refreshRefusal.map { refusal in
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
        _ isOnline: Bool,
        _ end: Date?,
        _ session: any KeptSession,
        _ protection: StoreProtection
    ) -> [String] {
        let role = user?.role.flatMap({ Terminal.shown($0) }).map { " (\($0))" } ?? ""
        let token =
            end.map { ($0 > Date() ? "until " : "expired at ") + RelativeTime.moment($0) }
            ?? "the server did not say how long it lasts"
        return [
            "Signed in as  \(session.name(of: user))\(role)",
            "\(session.anyProvider == nil ? "Backend " : "Provider")      \(session.server)",
            "Access token  \(token)",
            "Kept in       \(protection), profile \(global.profile)",
            "Server        \(isOnline ? "online" : "offline, the session stays")",
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
