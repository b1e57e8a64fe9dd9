// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Synchronization
import Testing

/// A stand-in of a real provider, at the provider's own host names and over TLS, in a network and mounts of its own.
final class ProviderPlayer: Sendable {
    /// A client that is registered at the provider.
    typealias Client = RealProvider.Client

    struct User: Decodable, Sendable {
        let sub: String
        let name: String?
    }

    private struct StartupLine: Decodable {
        let pid: Int32
        let issuer: String
        let clients: [String: Client]
        let user: User
        let api: String
        let scope: String?
        let tenants: [String: String]?
    }

    /// A request in the player's log.
    struct Request: Decodable, Sendable {
        let host: String
        let method: String
        let path: String
        let parameters: [String: String]
        let status: Int?
        let error: String?
    }

    private struct Log: Decodable { let log: [Request] }

    /// A secret that the player issued or received.
    private struct Secrets: Decodable {
        struct Secret: Decodable {
            let kind: String
            let value: String
        }
        let secrets: [Secret]
    }

    let issuer: String
    let clients: [String: Client]
    let user: User
    let api: String
    /// The scope of the provider's API, if the usual scopes don't allow it.
    let scope: String?
    /// The IDs of Microsoft's tenants by their names here.
    let tenants: [String: String]
    /// The words of a command line that enter the player's network.
    let entrance: [String]

    private let process: RunningProcess
    private let input: FileHandle
    private static let turnstile = Turnstile(places: 3)

    static var folder: String { MisbehavingProvider.support("provider-players") }

    /// Whether this machine has the required programs.
    static var isAvailable: Bool {
        Python.has("cryptography") && NetworkNamespace.isAvailable && Executable.find("curl") != nil
            && PrivateKeyring.isAvailable
    }

    /// Runs a test with a player of its own, and always ends it.
    static func run(_ name: String, _ test: (ProviderPlayer) async throws -> Void) async throws {
        try await turnstile.pass {
            let player = try await ProviderPlayer(name)
            do {
                try await test(player)
            } catch {
                await player.process.end()
                throw error
            }
            await player.process.end()
        }
    }

    private init(_ name: String) async throws {
        (process, input) = try RunningProcess.server(Self.folder + "/player", [name])
        let line = try await process.read(until: "\n")
        let startup = try JSONDecoder().decode(StartupLine.self, from: Data(line.utf8))
        (issuer, clients, user, api) = (startup.issuer, startup.clients, startup.user, startup.api)
        (scope, tenants) = (startup.scope, startup.tenants ?? [:])
        let user = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
        entrance = ["--target", "\(startup.pid)", "--net", "--mount"] + user + ["--wd=.", "--"]
    }

    /// Changes the player's settings.
    func set(_ settings: [String: Any]) async throws {
        let answer = try await ask(["set": settings])
        try #require(!answer.contains("\"error\""), "\(answer)")
    }

    /// Returns the requests so far.
    func log() async throws -> [Request] {
        try JSONDecoder().decode(Log.self, from: Data(try await ask(["log": true]).utf8)).log
    }

    /// Returns the secrets that the player issued or received.
    func secrets() async throws -> [String] {
        try JSONDecoder().decode(Secrets.self, from: Data(try await ask(["secrets": true]).utf8)).secrets
            .filter { !["state", "nonce", "request_uri", "user_code"].contains($0.kind) }.map(\.value)
    }

    private func ask(_ command: [String: Any]) async throws -> String {
        try input.write(contentsOf: try JSONSerialization.data(withJSONObject: command) + Data("\n".utf8))
        return try await process.read(until: "\n")
    }
}
