// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Crypto
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension KeyringSuite {
    @Suite("Leaks of secrets")
    struct LeakTests {
        private static let wrongPassword = "tr0ub4dor and three"

        @Test func `no token, password, nonce or code verifier is in a file, in the output or in the log`()
            async throws
        {
            try await Stage.run { stage in
                var stage = stage
                // The addresses contain the code challenges.
                let addresses = Self.addresses(on: stage).path()
                stage.tool.environment["BROWSER"] = try stage.browser(thatFirst: "echo \"$1\" >>'\(addresses)'")
                try await Self.useSession(on: stage)
                try Self.search(stage)
                for profile in ["default", "apple"] {
                    let logout = try await stage.tool("logout", "--profile", profile, "--verbose")
                    #expect(logout.exitCode == 0, "\(logout.errorText)")
                }
                try Self.search(stage)
            }
        }

        /// A search that finds nothing proves something only if it would find a secret.
        @Test func `the search finds a secret that is present`() async throws {
            try await Stage.run { stage in
                try await stage.signedIn()
                let token = try await stage.tool("token").text.dropLast()
                let temporary = URL(filePath: try #require(stage.tool.environment["TMPDIR"]))
                try Data("in the middle of \(token) a file".utf8).write(to: temporary.appending(path: "note"))
                #expect(stage.keyring.files(containing: Data(token.utf8)) == ["home/tmp/note"])
                #expect(stage.folder.files(containing: Data(Stage.email.utf8)).contains("backend.sqlite"))
                let nonce = String(repeating: "0123456789abcdef", count: 4)
                let hash = Self.hexadecimal(SHA256.hash(data: Data(nonce.utf8)))
                #expect(Self.rawNonces(of: [hash], in: Data("x\(nonce)y".utf8)) == 1)
                #expect(Self.rawNonces(of: [hash], in: Data("x\(hash)y".utf8)) == 0)
                // RFC 7636, appendix B.
                let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
                let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
                #expect(Self.codeVerifiers(of: [challenge], in: Data("x\(verifier)y".utf8)) == 1)
                #expect(Self.codeVerifiers(of: [challenge], in: Data("x\(challenge)y".utf8)) == 0)
            }
        }

        /// Runs everything that a user does in a month, including failures, with the most verbose output.
        private static func useSession(on stage: Stage) async throws {
            let (verbose, apple) = ("--verbose", ["--profile", "apple", "--verbose"])
            #expect(try await stage.login(verbose, password: wrongPassword).exitCode == 1)
            #expect(try await stage.login(verbose, "--json").exitCode == 0)
            let login = try await stage.appleLogin("--profile", "apple", verbose)
            try #require(login.exitCode == 0, "\(login.errorText)")
            let driver = try await stage.appleLogin("--client-id", Stage.driverApp, "--profile", "driver", verbose)
            #expect(driver.exitCode == 1)
            for more in [[verbose], apple] {
                for command in [["status"], ["status", "--json"], ["token"], ["api", "GET", "/api/me", "--include"]] {
                    #expect(try await stage.tool.run(command + more).exitCode == 0, "\(command)")
                }
                #expect(try await stage.tool.run(["refresh"] + more).exitCode == 0)
            }
            stage.clock.advance(by: .seconds(1_000))
            #expect(try await stage.tool("api", "GET", "/api/jobs", "--concurrent", "10", verbose).exitCode == 0)
            #expect(try await stage.tool("token", "--min-ttl", "100000", verbose).exitCode == 1)
            #expect(try await stage.tool.run(["refresh"] + apple).exitCode == 0)
            #expect(try await stage.tool("api", "GET", "https://api.example.com/", verbose).exitCode == 2)
        }

        private static func search(_ stage: Stage) throws {
            let issued = stage.issued.all
            #expect(Set(issued.map(\.kind)) == Set(IssuedToken.Kind.allCases))
            let texts = stage.tool.printed.all + stage.log.all.map(\.text)
            #expect(!stage.log.all.map(\.text).isEmpty)
            for token in issued {
                for secret in [token.rawValue] + parts(of: token) {
                    expectAbsent(secret, texts, stage, "\(token)")
                }
            }
            for password in [Stage.password, wrongPassword] { expectAbsent(password, texts, stage, "the password") }
            let hashes = Set(try issued.filter { $0.kind == .identityToken }.map(hashedNonce))
            #expect(hashes.count == 2)
            let challenges = try challenges(on: stage)
            #expect(challenges.count == 2)
            let files = [stage.keyring.home, stage.folder.url].flatMap(contents)
            for content in files + texts.map({ Data($0.utf8) }) {
                #expect(rawNonces(of: hashes, in: content) == 0)
                #expect(codeVerifiers(of: challenges, in: content) == 0)
            }
        }

        /// Returns the file in which the browser records its addresses.
        private static func addresses(on stage: Stage) -> URL { stage.folder.url.appending(path: "addresses") }

        private static func challenges(on stage: Stage) throws -> Set<String> {
            let text = try String(contentsOf: addresses(on: stage), encoding: .utf8)
            let items = text.split(separator: "\n").compactMap { URLComponents(string: String($0))?.queryItems }
                .joined()
            return Set(items.filter { $0.name == "code_challenge" }.compactMap(\.value))
        }

        /// Returns a JWT's signature, which must not be found on its own either: without it the token is useless.
        private static func parts(of token: IssuedToken) -> [String] {
            let parts = token.rawValue.split(separator: ".")
            return parts.count == 3 ? [String(parts[2])] : []
        }

        private static func expectAbsent(_ secret: String, _ texts: [String], _ stage: Stage, _ what: Comment) {
            let bytes = Data(secret.utf8)
            #expect(stage.keyring.files(containing: bytes).isEmpty, what)
            #expect(stage.folder.files(containing: bytes).isEmpty, what)
            #expect(!texts.contains { $0.contains(secret) }, what)
        }

        private static func contents(of folder: URL) -> [Data] {
            let paths = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
            return paths.compactMap { try? Data(contentsOf: folder.appending(path: $0)) }
        }

        private static func hashedNonce(of token: IssuedToken) throws -> String {
            let parts = token.rawValue.split(separator: ".")
            try #require(parts.count == 3)
            let text = parts[1].replacing("-", with: "+").replacing("_", with: "/")
            let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
            let claims = try JSONSerialization.jsonObject(with: try #require(Data(base64Encoded: text + padding)))
            return try #require((claims as? [String: Any])?["nonce"] as? String)
        }

        /// Returns the number of raw nonces, of which only the hash is known outside the tool's process.
        private static func rawNonces(of hashes: Set<String>, in bytes: Data) -> Int {
            Preimages.count(in: bytes, length: 64, alphabet: "0123456789abcdef") { hashes.contains(hexadecimal($0)) }
        }

        /// Returns the number of code verifiers, of which only the challenge is known outside the tool's process.
        private static func codeVerifiers(of challenges: Set<String>, in bytes: Data) -> Int {
            let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            return Preimages.count(in: bytes, length: 43, alphabet: alphabet) { digest in
                let challenge = Data(digest).base64EncodedString()
                    .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
                return challenges.contains(challenge)
            }
        }

        private static func hexadecimal(_ digest: SHA256.Digest) -> String {
            digest.map { String(format: "%02x", $0) }.joined()
        }
    }
}
