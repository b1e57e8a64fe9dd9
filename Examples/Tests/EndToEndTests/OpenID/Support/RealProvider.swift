// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// A third-party provider, started for one test.
struct RealProvider: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case canaille
        case django
    }

    struct Client: Decodable, Sendable {
        let id: String
        let secret: String?

        private enum CodingKeys: String, CodingKey {
            case id = "client_id"
            case secret = "client_secret"
        }
    }

    struct User: Decodable, Sendable {
        let login: String
        let password: String
    }

    let kind: Kind
    let issuer: String
    let clients: [String: Client]
    let user: User
    /// The port of the redirect URI; nil for any port.
    let redirectPort: Int?
    private let accessLog: String

    /// One Canaille at a time, since it redirects to one port only; few of the others, which start slowly.
    private static let turnstiles: [Kind: Turnstile] = [.canaille: Turnstile(places: 1), .django: Turnstile(places: 2)]

    /// Whether this machine has the required programs.
    static var isAvailable: Bool { Python.has("venv", "ensurepip") && PrivateKeyring.isAvailable }

    /// Runs a test with a provider of its own, and always stops it.
    ///
    /// The first start on a machine installs the provider into a permanent folder: `$SALLYPORT_TEST_PROVIDERS`, or one
    /// in the user's cache.
    static func run(
        _ kind: Kind,
        _ options: [String] = [],
        _ test: (RealProvider) async throws -> Void
    ) async throws {
        let turnstile = try #require(turnstiles[kind])
        try await turnstile.pass { try await runOwn(kind, options, test) }
    }

    private static func runOwn(
        _ kind: Kind,
        _ options: [String],
        _ test: (RealProvider) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let program = MisbehavingProvider.support("providers/\(kind.rawValue)")
        let running = try RunningProcess.server(program, [folder.url.path] + options).process
        do {
            let line = try await running.read(until: "\n", timeout: .seconds(180))
            try await test(try RealProvider(kind, line))
        } catch {
            await running.end()
            throw error
        }
        await running.end()
    }

    private init(_ kind: Kind, _ line: String) throws {
        struct StartupLine: Decodable {
            let issuer: String
            let clients: [String: Client]
            let user: User
            let redirectPort: Int?
            let accessLog: String

            private enum CodingKeys: String, CodingKey {
                case issuer, clients, user
                case redirectPort = "redirect_port"
                case accessLog = "access_log"
            }
        }
        let startup = try JSONDecoder().decode(StartupLine.self, from: Data(line.utf8))
        self.kind = kind
        (issuer, clients, user) = (startup.issuer, startup.clients, startup.user)
        (redirectPort, accessLog) = (startup.redirectPort, startup.accessLog)
    }

    /// Returns the status of the userinfo endpoint for an access token.
    func userInfoStatus(for token: String) async throws -> Int {
        try await Curl.get(try await endpoint("userinfo_endpoint"), authorization: "Bearer \(token)").status
    }

    /// Waits until a browser has opened the end session page.
    func waitForSignOut() async throws {
        let path = try #require(URL(string: try await endpoint("end_session_endpoint"))?.path)
        try await waitUntil("somebody is at \(path)") {
            try await Command("grep", ["-qF", path, accessLog]).run().exitCode == 0
        }
    }

    private func endpoint(_ name: String) async throws -> String {
        let discovery = try await Curl.get(issuer + "/.well-known/openid-configuration")
        return try #require(discovery.object[name] as? String)
    }
}
