// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthTesting
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A server's description of a user that is made to use up the app's time, or the store's space.
@Suite(.timeLimit(.minutes(5)))
struct LongUserTextTests {
    /// Marks that `String` sorts before it compares or hashes: more than ten seconds each time.
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 64_000)

    private static func response(_ members: String) -> String {
        #"{"success": true, "user": {"id": "u1", "name": "Ada Lovelace", \#(members)}}"#
    }

    @Test(
        arguments: [
            #""email": "MARKS""#, #""role": "MARKS""#, #""phoneNumber": "MARKS""#, #""missing": ["MARKS"]"#,
        ]
    )
    func `a text that is too long is dropped at once, and the session stays`(members: String) async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in
            .json(Self.response(members.replacing("MARKS", with: Self.marks)))
        }
        let start = ContinuousClock.now
        let state = await fixture.session.validate()
        #expect(state == .signedIn(SessionUser(id: "u1", name: "Ada Lovelace"), .online))
        #expect(await fixture.session.validate() == state)
        #expect(try await fixture.storedRecord().user == SessionUser(id: "u1", name: "Ada Lovelace"))
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test func `a name is cut between two scalars, and the session stays`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in
            .json(#"{"success": true, "user": {"id": "u1", "name": "\#(Self.marks)"}}"#)
        }
        let start = ContinuousClock.now
        let state = await fixture.session.validate()
        let name = try #require(try await fixture.storedRecord().user?.name)
        #expect(state == .signedIn(SessionUser(id: "u1", name: name), .online))
        #expect(name.utf8.count == 1_023)
        #expect(Self.marks.utf8.starts(with: name.utf8))
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test func `an identifier of any length is compared and hashed at once`() async throws {
        let fixture = try await Fixture.signedIn(.sessionToken)
        fixture.backend.on(Backend.validate) { _ in
            .json(#"{"success": true, "user": {"id": "\#(Self.marks)"}}"#)
        }
        let start = ContinuousClock.now
        let state = await fixture.session.validate()
        #expect(state == .signedIn(SessionUser(id: Self.marks), .online))
        #expect(Set([SessionUser(id: Self.marks), SessionUser(id: "b" + Self.marks)]).count == 2)
        #expect(start.duration(to: .now) < .seconds(5))
    }

    @Test func `a long text of a stored record is cut or dropped, and the user is read`() throws {
        let text = #"{"id":"u1","name":"MARKS","email":"MARKS","missing":["name","MARKS"]}"#
        let data = Data(text.replacing("MARKS", with: Self.marks).utf8)
        let start = ContinuousClock.now
        let user = try JSONDecoder().decode(SessionUser.self, from: data)
        #expect(user.name?.utf8.count == 1_023)
        #expect(user.email == nil)
        #expect(user.missing == [.name])
        #expect(start.duration(to: .now) < .seconds(5))
    }
}
