// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes
import Testing

/// Texts that take long if they are compared character by character: the time of a call is bounded for any response.
@Suite(.timeLimit(.minutes(1))) struct HostileResponseTests {
    /// Combining accents, which form one character of a quarter of a megabyte: it takes quadratic time to find its end.
    private static let accents = String(repeating: "\u{301}\u{316}", count: 60_000)

    private static func failure(_ status: Int, _ name: HTTPField.Name, _ value: String) async throws -> APIError? {
        let fixture = try CallFixture { _ in .json("{}", status: status, headers: [name: value]) }
        return await fixture.failure()
    }

    @Test(arguments: ["Bearer error=\"", "", "Bearer ", "DPoP error=\"insufficient_scope\", scope=\""])
    func `a huge challenge`(beginning: String) async throws {
        for tail in [Self.accents, String(repeating: "a ", count: 60_000), String(repeating: "\"\\", count: 60_000)] {
            #expect(try await Self.failure(401, .wwwAuthenticate, beginning + tail)?.status == 401)
        }
    }

    @Test(arguments: ["/", "", "//", "https://api.example.com/", "/../"])
    func `a huge location`(beginning: String) async throws {
        for tail in [Self.accents, String(repeating: "../", count: 60_000), String(repeating: "%2e", count: 60_000)] {
            #expect(try await Self.failure(302, .location, beginning + tail)?.code == .redirected)
        }
    }

    @Test func `a huge Retry-After and Date`() async throws {
        for tail in [Self.accents, String(repeating: "9", count: 60_000)] {
            let fixture = try CallFixture(configure: { $0.retries = 0 }) { _ in
                .json("{}", status: 429, headers: [.retryAfter: tail, .date: tail])
            }
            #expect(await fixture.failure()?.code == .rateLimited)
        }
    }

    /// The longest body that is searched for a message.
    @Test(arguments: ["", "x"]) func `a long code and message`(beginning: String) async throws {
        let text = beginning + String(Self.accents.unicodeScalars.prefix(16_000))
        let accents = String(String.UnicodeScalarView(text.unicodeScalars.prefix(9)))
        let secrets = (0..<2_000).map { "\(accents)secret-\($0)" }
        let fixture = try CallFixture { _ in .json(#"{"error":{"code":"\#(text)","message":"\#(text)"}}"#, status: 400)
        }
        let endpoint = Endpoint<CallFixture.Person>.post("/me", body: try .json(secrets))
        let error = await fixture.failure(of: endpoint)
        #expect((error?.serverCode?.rawValue.unicodeScalars.count ?? 0) <= 64)
        #expect((error?.serverMessage?.unicodeScalars.count ?? 0) <= 300)
    }

    @Test func `a huge scope and step-up`() async throws {
        let values = String(repeating: "\u{301} a ", count: 3_000)
        let scope = #"Bearer error="insufficient_scope", scope="\#(values)""#
        #expect(try await Self.failure(403, .wwwAuthenticate, scope)?.code == .insufficientScope)
        let stepUp = #"Bearer error="insufficient_user_authentication", acr_values="\#(values)""#
        #expect(try await Self.failure(401, .wwwAuthenticate, stepUp)?.stepUp?.acrValues.count == 16)
    }

    @Test func `a huge URL`() {
        let url = "https://api.example.com/" + Self.accents
        #expect(throws: BaseURLError.self) { try BaseURL(url) }
        #expect(throws: BaseURLError.self) { try AbsoluteURL(url) }
    }
}
