// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthTesting
import Testing

@testable import AuthSession

@Suite struct RedactionTests {
    private static let secrets = [
        "access-1", "refresh-1", "aaa.bbb.ccc", "Ada", "ada@example.org", "hunter2", "key-1", "u1", "customer",
    ]

    private func expectNothing(of value: Any, _ location: SourceLocation = #_sourceLocation) {
        var dumped = ""
        dump(value, to: &dumped)
        let shown = [String(describing: value), String(reflecting: value), dumped]
        for text in shown {
            #expect(!Self.secrets.contains { text.contains($0) }, sourceLocation: location)
        }
    }

    @Test func `descriptions of a user, a credential and tokens contain no personal data`() async throws {
        let fixture = try await Fixture.signedIn()
        expectNothing(of: fixture.user)
        expectNothing(of: try Fixture.credential(name: "Ada"))
        expectNothing(of: try #require(await fixture.session.inMemoryTokens))
        expectNothing(of: try await fixture.storedRecord())
        expectNothing(of: fixture.session.state)
        expectNothing(of: try #require(await fixture.session.current))
    }

    @Test(arguments: [200, 401, 403, 500]) func `the description of an error contains no secret and no personal data`(
        status: Int
    ) async throws {
        let fixture = try await Fixture.expired()
        fixture.backend.on(Backend.pairRefresh) { _ in
            .json(#"{"accessToken": ["access-1"], "refreshToken": "refresh-1"}"#, status: status)
        }
        expectNothing(of: try await sessionError { try await fixture.session.accessToken() })
    }
}
