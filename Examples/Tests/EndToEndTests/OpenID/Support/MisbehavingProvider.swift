import Foundation
import TestSupport
import Testing

/// The provider in Python that is right in everything but one thing, as a process.
struct MisbehavingProvider: Sendable {
    /// A client with a secret.
    struct Confidential: Sendable {
        let id: String
        let secret: String
    }

    /// What it was given or gave, that nobody else may see.
    struct Secret: Decodable, Sendable {
        let kind: String
        let value: String
    }

    let issuer: String
    /// An honest provider on another origin, where redirects lead to.
    let other: String
    let basic: Confidential
    let post: Confidential
    private let process: RunningProcess

    /// The one person it knows.
    static let subject = "248289761001"
    static let publicClient = "native"

    static var program: String { support("misbehaving-provider/provider") }

    /// Whether this machine has what it takes.
    static var isAvailable: Bool { Python.has("cryptography") && Executable.find("curl") != nil }

    /// A file of the tests' own programs.
    static func support(_ path: String) -> String {
        URL(filePath: #filePath).appending(path: "../../../../Support/\(path)").standardizedFileURL.path()
    }

    /// Starts it; it ends with ``end()``, and with the process of these tests.
    static func start() async throws -> MisbehavingProvider {
        let (process, input, output) = (Process(), Pipe.make(), Pipe.make())
        process.executableURL = URL(filePath: program)
        process.standardInput = input
        process.standardOutput = output
        let running = try RunningProcess(
            process,
            input: input.fileHandleForWriting,
            output: output.fileHandleForReading
        )
        let line = try await running.read(until: "\n")
        return try MisbehavingProvider(running, line)
    }

    private init(_ process: RunningProcess, _ line: String) throws {
        struct Place: Decodable {
            struct Clients: Decodable {
                let basic: [String]
                let post: [String]
            }
            let issuer: String
            let other: String
            let clients: Clients
        }
        let place = try JSONDecoder().decode(Place.self, from: Data(line.utf8))
        (issuer, other) = (place.issuer, place.other)
        try #require(place.clients.basic.count == 2 && place.clients.post.count == 2)
        basic = Confidential(id: place.clients.basic[0], secret: place.clients.basic[1])
        post = Confidential(id: place.clients.post[0], secret: place.clients.post[1])
        self.process = process
    }

    func end() async { await process.end() }

    /// Does all right from now on, and forgets what it has seen.
    func behave() async throws {
        try await control([
            "fault": NSNull(), "alg": "RS256", "token_life": 3600, "grace": 10, "require_par": false,
            "require_dpop_nonce": false, "device_interval": 1, "device_life": 600, "approve_devices": true,
            "forget": true,
        ])
    }

    /// Does one thing wrong from now on; nil for none.
    func misbehave(_ fault: String?) async throws {
        try await control(["fault": fault ?? NSNull()])
    }

    /// Every request that it and its neighbour have got.
    func log() async throws -> [ProviderRequest] {
        let answer = try await Curl.get(issuer + "/_log")
        return try JSONDecoder().decode([ProviderRequest].self, from: answer.body)
    }

    /// Everything secret that it has given or got since it was started.
    func secrets() async throws -> [Secret] {
        let answer = try await Curl.get(issuer + "/_secrets")
        return try JSONDecoder().decode([Secret].self, from: answer.body)
    }

    private func control(_ wishes: [String: Any]) async throws {
        let wishes = try JSONSerialization.data(withJSONObject: wishes)
        let answer = try await Curl.post(issuer + "/_control", json: wishes)
        try #require(answer.status == 200, "\(String(decoding: answer.body, as: UTF8.self))")
    }
}

/// A request as the misbehaving provider notes it: names alone, no values.
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
    /// Nil where it gave no answer.
    let status: Int?

    private enum CodingKeys: String, CodingKey {
        case server, method, path, query, form, dpop, status
        case authorizationScheme = "authorization_scheme"
        case clientAuth = "client_auth"
        case grantType = "grant_type"
    }

    /// Whether it carried a code, a token or what proves a client.
    var isSecret: Bool {
        let secret: Set = [
            "code", "code_verifier", "refresh_token", "access_token", "token", "id_token_hint", "client_secret",
            "device_code",
        ]
        return authorizationScheme != nil || dpop || !secret.isDisjoint(with: query + form)
    }
}
