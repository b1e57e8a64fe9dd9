// SPDX-License-Identifier: Apache-2.0

import Foundation
import SharedTestSupport
import Testing

/// A provider in Python with exactly one fault at a time, as a process.
struct MisbehavingProvider: Sendable {
    /// A client with a secret.
    struct Confidential: Sendable {
        let id: String
        let secret: String
    }

    /// A client with a private key, in PEM.
    struct KeyClient: Sendable {
        let id: String
        let pem: String
    }

    /// A secret that the provider issued or received.
    struct Secret: Decodable, Sendable {
        let kind: String
        let value: String
    }

    let issuer: String
    /// An honest provider on another origin, the target of redirects.
    let other: String
    let basic: Confidential
    let post: Confidential
    /// The clients with a private key, by the names of the provider's list.
    let keyClients: [String: KeyClient]
    private let process: RunningProcess

    /// The provider's only user.
    static let subject = "248289761001"
    static let publicClient = "native"

    static var program: String { support("misbehaving-provider/provider") }

    /// Whether this machine has the required programs.
    static var isAvailable: Bool { Python.has("cryptography") && Executable.find("curl") != nil }

    /// Returns the path of a support file.
    static func support(_ path: String) -> String {
        URL(filePath: #filePath).appending(path: "../../../../Support/\(path)").standardizedFileURL.path()
    }

    /// Starts the provider; it ends with ``end()``, and with the process of these tests.
    static func start() async throws -> MisbehavingProvider {
        let running = try RunningProcess.server(program).process
        let line = try await running.read(until: "\n")
        return try MisbehavingProvider(running, line)
    }

    private init(_ process: RunningProcess, _ line: String) throws {
        struct StartupLine: Decodable {
            struct Clients: Decodable {
                let basic: [String]
                let post: [String]
                let ec: [String]
                let rsa: [String]
                let service: [String]
            }
            let issuer: String
            let other: String
            let clients: Clients
        }
        let startup = try JSONDecoder().decode(StartupLine.self, from: Data(line.utf8))
        (issuer, other) = (startup.issuer, startup.other)
        try #require(startup.clients.basic.count == 2 && startup.clients.post.count == 2)
        basic = Confidential(id: startup.clients.basic[0], secret: startup.clients.basic[1])
        post = Confidential(id: startup.clients.post[0], secret: startup.clients.post[1])
        let clients = startup.clients
        keyClients = try ["ec": clients.ec, "rsa": clients.rsa, "service": clients.service].mapValues { pair in
            try #require(pair.count == 2)
            return KeyClient(id: pair[0], pem: pair[1])
        }
        self.process = process
    }

    func end() async { await process.end() }

    /// Removes every fault and clears the log.
    func behave() async throws {
        try await control([
            "fault": NSNull(), "alg": "RS256", "token_life": 3600, "grace": 60, "require_par": false,
            "require_dpop_nonce": false, "hold_revocations": false, "device_interval": 1, "device_life": 600,
            "approve_devices": true, "person": Self.subject, "audience": "", "forget": true,
        ])
    }

    /// Sets the fault from now on; nil for none.
    func misbehave(_ fault: String?) async throws {
        try await control(["fault": fault ?? NSNull()])
    }

    /// Sets the lifetime of the tokens from now on, in seconds; that of ID tokens is a minute at least.
    func setTokenLifetime(_ seconds: Int) async throws {
        try await control(["token_life": seconds])
    }

    /// Holds the responses to revocations back, until the next call.
    func holdRevocations(_ holds: Bool) async throws {
        try await control(["hold_revocations": holds])
    }

    /// Sets the API that access tokens are for from now on; they are JWTs then.
    func setAudience(_ audience: String) async throws {
        try await control(["audience": audience])
    }

    /// Sets the user who signs in from now on.
    func setUser(_ subject: String) async throws {
        try await control(["person": subject])
    }

    /// Sets the algorithm of the ID tokens from now on.
    func setAlgorithm(_ name: String) async throws {
        try await control(["alg": name])
    }

    /// Returns a token that another program issues to a workload, valid for a number of seconds.
    func workloadToken(life: Int = 600) async throws -> String {
        let answer = try await Curl.get(issuer + "/_workload-token?life=\(life)")
        return try #require(answer.object["token"] as? String)
    }

    /// Returns every request to this provider and to the other one.
    func log() async throws -> [ProviderRequest] {
        let answer = try await Curl.get(issuer + "/_log")
        return try JSONDecoder().decode([ProviderRequest].self, from: answer.body)
    }

    /// Returns every secret that the provider issued or received since its start.
    func secrets() async throws -> [Secret] {
        let answer = try await Curl.get(issuer + "/_secrets")
        return try JSONDecoder().decode([Secret].self, from: answer.body)
    }

    private func control(_ wishes: [String: Any]) async throws {
        let wishes = try JSONSerialization.data(withJSONObject: wishes)
        let answer = try await Curl.post(issuer + "/_control", json: wishes)
        try #require(answer.status == 200, "\(answer.text)")
    }
}

/// A request in the misbehaving provider's log: names without values.
struct ProviderRequest: Decodable, Sendable {
    let server: String
    let method: String
    let path: String
    let query: [String]
    let form: [String]
    let authorizationScheme: String?
    let clientAuth: String?
    let grantType: String?
    let dpop: Bool
    /// The status of the response; nil if there was none.
    let status: Int?

    private enum CodingKeys: String, CodingKey {
        case server, method, path, query, form, dpop, status
        case authorizationScheme = "authorization_scheme"
        case clientAuth = "client_auth"
        case grantType = "grant_type"
    }

    /// Whether the request carried a code, a token or client authentication.
    var isSecret: Bool {
        let secret: Set = [
            "code", "code_verifier", "refresh_token", "access_token", "token", "id_token_hint", "client_secret",
            "device_code", "assertion", "client_assertion",
        ]
        return authorizationScheme != nil || dpop || !secret.isDisjoint(with: query + form)
    }
}
