// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import Foundation
import HTTPTypes
import SecureStore
import TestSupport
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

/// What a user's account lacks, and the change that completes it.
@Suite(.timeLimit(.minutes(5)))
struct ProfileTests {
    private static let path = "/api/me"
    private static let complete = #"{"id": "u1", "name": "Ada Lovelace", "phoneNumber": "+14155550100"}"#
    private static let completed = SessionUser(id: "u1", name: "Ada Lovelace", phoneNumber: "+14155550100")

    private static func incomplete(_ missing: String = #"["phoneNumber"]"#) -> String {
        #"{"id": "u1", "name": "Ada Lovelace", "role": "driver", "missing": \#(missing)}"#
    }

    /// Returns a session whose user lacks a telephone number, at a backend that takes it.
    private func signedIn(
        _ contract: SessionBackend.Contract = .sessionToken,
        lock: LockPolicy = .none
    ) async throws -> Fixture {
        let fixture = try Fixture(contract, lock: lock)
        fixture.backend.on(Backend.apple) { _ in
            .json(#"{"success": true, "token": "\#(Backend.jwt(1))", "user": \#(Self.incomplete())}"#)
        }
        fixture.backend.on(Backend.login) { _ in
            .json(
                """
                {"user": \(Self.incomplete()), "accessToken": "access-1", "refreshToken": "refresh-1", \
                "tokenType": "Bearer", "expiresIn": 900}
                """
            )
        }
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": \#(Self.incomplete())}"#) }
        fixture.backend.on(Self.path) { _ in .json(#"{"success": true, "user": \#(Self.complete)}"#) }
        try await fixture.signIn()
        return fixture
    }

    private static let lists: [(String, [SessionUser.ProfileMember])] = [
        (#"["phoneNumber", "name"]"#, [.name, .phoneNumber]), (#"["phoneNumber", "phoneNumber"]"#, [.phoneNumber]),
        (#"["licensePlate", "name"]"#, [.name]), (#"["licensePlate"]"#, []), ("[]", []), ("null", []), ("7", []),
        (#"["name", 7]"#, []),
    ]

    @Test(arguments: lists)
    func `the list of missing members is read as far as it is known`(
        list: String,
        expected: [SessionUser.ProfileMember]
    ) async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": \#(Self.incomplete(list))}"#) }
        guard case .signedIn(let user?, .online) = await fixture.session.validate() else {
            Issue.record("\(fixture.session.state)")
            return
        }
        #expect(user.missing == expected)
    }

    @Test(arguments: [SessionBackend.Contract.sessionToken, .tokenPair])
    func `what the account lacks is known after a restart, before the server responds`(
        contract: SessionBackend.Contract
    ) async throws {
        let fixture = try await signedIn(contract)
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        let user = SessionUser(id: "u1", name: "Ada Lovelace", role: "driver", missing: [.phoneNumber])
        #expect(other.state == .signedIn(user, .online))
    }

    @Test func `a validation that finds another member missing is stored`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Backend.validate) { _ in .json(#"{"success": true, "user": \#(Self.complete)}"#) }
        await fixture.session.validate()
        #expect(try await fixture.storedRecord().user == Self.completed)
    }

    @Test(arguments: [SessionBackend.Contract.sessionToken, .tokenPair])
    func `an update sends the values with the access token, and the returned user is published and stored`(
        contract: SessionBackend.Contract
    ) async throws {
        let fixture = try await signedIn(contract)
        let token = try await fixture.session.accessToken().unredacted
        #expect(try await fixture.session.updateProfile(phoneNumber: "+1 415 555 0100") == Self.completed)
        let request = try #require(fixture.transport.requests.last)
        #expect(request.head.method == .put)
        #expect(request.head.path == Self.path)
        #expect(request.header("Authorization") == "Bearer \(token)")
        #expect(request.header("X-API-Key") == "key-1")
        #expect(try request.members == ["phoneNumber": .string("+1 415 555 0100")])
        #expect(fixture.session.state == .signedIn(Self.completed, .online))
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        #expect(other.state == .signedIn(Self.completed, .online))
    }

    @Test func `an update without remembered session is kept in memory`() async throws {
        let fixture = try await signedIn(.tokenPair)
        try await fixture.signIn(rememberMe: false)
        try await fixture.session.updateProfile(name: "Ada")
        #expect(fixture.session.state == .signedIn(Self.completed, .online))
        #expect(try await fixture.stored() == nil)
    }

    @Test(arguments: [SessionBackend.Contract.sessionToken, .tokenPair])
    func `a refused token leads to one refresh and one repetition`(contract: SessionBackend.Contract) async throws {
        let fixture = try await signedIn(contract)
        let old = try await fixture.session.accessToken().unredacted
        fixture.backend.on(Self.path) { request in
            if request.header("Authorization") == "Bearer \(old)" { return Backend.failure(401, code: "token_expired") }
            return .json(#"{"success": true, "user": \#(Self.complete)}"#)
        }
        #expect(try await fixture.session.updateProfile(name: "Ada") == Self.completed)
        #expect(fixture.refreshes == 1)
        #expect(fixture.transport.count(of: Self.path) == 2)
        #expect(try await fixture.storedRecord().user == Self.completed)
    }

    @Test func `a refused API key leads to no refresh`() async throws {
        let fixture = try await signedIn()
        fixture.backend.on(Self.path) { _ in Backend.failure(401, code: "invalid_api_key") }
        #expect(await code { try await fixture.session.updateProfile(name: "Ada") } == .profileRefused)
        #expect(fixture.refreshes == 0)
    }

    private static let failures: [(TransportResponse?, AuthSessionError.Code, String)] = [
        (Backend.failure(422, code: "invalid_profile", message: "Enter a name."), .profileRefused, "Enter a name."),
        (
            Backend.failure(400, code: "invalid_request"), .profileRefused,
            "The server refused the change (invalid_request)."
        ),
        (.json("{}", status: 403), .profileRefused, "The server refused the change."),
        (.json("{}", status: 503), .unreachable, "The server failed (status 503)."),
        (.json("{}"), .invalidResponse, "The server's response was refused: it has no usable token."),
        (
            .json(#"{"success": true, "user": {"id": "u2"}}"#), .invalidResponse,
            "The server's response was refused: it has no usable token."
        ),
        (nil, .unreachable, "The server refused the connection."),
    ]

    @Test(arguments: failures.indices)
    func `a failed update leaves the session and the user as they are`(index: Int) async throws {
        let (response, code, sentence) = Self.failures[index]
        let fixture = try await signedIn()
        let (state, item) = (fixture.session.state, try await fixture.stored())
        fixture.backend.on(Self.path) { request in
            guard let response else { return try await Backend.unreachable(request) }
            return response
        }
        let error = try await sessionError { try await fixture.session.updateProfile(name: "Ada") }
        #expect(error.code == code)
        if code == .profileRefused { #expect(RefusalSentence.text(for: error) ?? error.description == sentence) }
        #expect(fixture.session.state == state)
        #expect(try await fixture.stored() == item)
    }

    @Test func `an update without a session fails`() async throws {
        let fixture = try Fixture()
        #expect(await code { try await fixture.session.updateProfile(name: "Ada") } == .notSignedIn)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func `an update whose user has signed out meanwhile takes nothing over`() async throws {
        let fixture = try await signedIn()
        let gate = Gate()
        fixture.backend.on(Self.path) { _ in
            await gate.pass()
            return .json(#"{"success": true, "user": \#(Self.complete)}"#)
        }
        let update = Task { try await fixture.session.updateProfile(name: "Ada") }
        await gate.waitForArrival()
        await fixture.session.signOut()
        gate.open()
        #expect(await code { try await update.value } == .superseded)
        #expect(fixture.session.state == .signedOut(.userSignedOut))
        #expect(try await fixture.stored() == nil)
    }

    @Test func `a refused token of a user who has signed out is not replaced by another user's`() async throws {
        let fixture = try await signedIn(.tokenPair)
        let gate = Gate()
        fixture.backend.on(Self.path) { _ in
            await gate.pass()
            return Backend.failure(401, code: "invalid_token")
        }
        let update = Task { try await fixture.session.updateProfile(name: "Ada") }
        await gate.waitForArrival()
        fixture.respondWithOtherUser()
        try await fixture.signIn()
        gate.open()
        await #expect(throws: AuthSessionError.self) { try await update.value }
        #expect(fixture.transport.count(of: Self.path) == 1)
        #expect(fixture.session.state == fixture.otherUserState)
    }

    @Test func `a validation that was requested before an update does not undo it`() async throws {
        let fixture = try await signedIn()
        let gate = Gate()
        fixture.backend.on(Backend.validate) { _ in
            await gate.pass()
            return .json(#"{"success": true, "user": \#(Self.incomplete())}"#)
        }
        let validation = Task { await fixture.session.validate() }
        await gate.waitForArrival()
        try await fixture.session.updateProfile(phoneNumber: "+14155550100")
        gate.open()
        #expect(await validation.value == .signedIn(Self.completed, .online))
        #expect(try await fixture.storedRecord().user == Self.completed)
    }

    @Test(arguments: [true, false])
    func `an update during a refresh is stored, whether or not the refresh succeeds`(succeeds: Bool) async throws {
        let fixture = try await signedIn(.tokenPair)
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return succeeds ? Backend.pair(2) : Backend.failure(400, code: "invalid_client")
        }
        let refresh = Task { try? await fixture.session.refresh() }
        await gate.waitForArrival()
        try await fixture.session.updateProfile(phoneNumber: "+14155550100")
        #expect(try await fixture.storedRecord().refreshBegunAt != nil)
        gate.open()
        _ = await refresh.value
        let record = try await fixture.storedRecord()
        #expect(record.user == Self.completed)
        #expect(record.tokens.accessToken.unredacted == (succeeds ? "access-2" : "access-1"))
        #expect(record.refreshBegunAt == nil)
    }

    @Test(arguments: [true, false])
    func `an update is stored with the tokens of another process that is refreshing`(waits: Bool) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let lock = SessionLock(for: MemoryStore().scope, in: folder.url.path)
        let fixture = try await signedIn(.tokenPair, lock: .one(lock))
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let other = try fixture.otherProcess()
        await other.restore(validating: false)
        let refreshElsewhere = Task { try await other.refresh() }
        await gate.waitForArrival()
        let refresh = waits ? Task { try await fixture.session.refresh() } : nil
        while waits, await fixture.session.flight == nil { await Task.yield() }
        try await fixture.session.updateProfile(phoneNumber: "+14155550100")
        let begun = try await fixture.storedRecord()
        #expect(begun.user == Self.completed)
        #expect(begun.refreshBegunAt != nil, "the other process's")
        gate.open()
        try await refreshElsewhere.value
        try await refresh?.value
        #expect(fixture.refreshes == 1)
        #expect(fixture.session.state == .signedIn(Self.completed, .online))
        #expect(other.state == .signedIn(Self.completed, .online))
        let record = try await fixture.storedRecord()
        #expect(record.user == Self.completed)
        #expect(record.tokens.accessToken.unredacted == "access-2")
    }

    @Test func `an update that comes after another one stays, whichever is stored first`() async throws {
        let fixture = try await signedIn(.tokenPair)
        let write = Gate()
        fixture.store.holdChanges(at: write)
        fixture.backend.on(Self.path) { _ in .json(#"{"success": true, "user": \#(Self.incomplete(#"["name"]"#))}"#) }
        let first = Task { try await fixture.session.updateProfile(phoneNumber: "+14155550100") }
        await write.waitForArrival()
        fixture.backend.on(Self.path) { _ in .json(#"{"success": true, "user": \#(Self.complete)}"#) }
        let second = Task { try await fixture.session.updateProfile(name: "Ada Lovelace") }
        while fixture.session.state != .signedIn(Self.completed, .online) { await Task.yield() }
        fixture.store.holdChanges(at: nil)
        write.open()
        _ = try await (first.value, second.value)
        #expect(fixture.session.state == .signedIn(Self.completed, .online))
        #expect(try await fixture.storedRecord().user == Self.completed)
    }

    @Test func `an update during the write of a refresh is stored with the new tokens`() async throws {
        let fixture = try await signedIn(.tokenPair)
        let (response, write) = (Gate(), Gate())
        fixture.backend.on(Backend.pairRefresh) { _ in
            await response.pass()
            return Backend.pair(2)
        }
        let refresh = Task { try await fixture.session.refresh() }
        await response.waitForArrival()
        fixture.store.holdChanges(at: write)
        response.open()
        await write.waitForArrival()
        let update = Task { try await fixture.session.updateProfile(phoneNumber: "+14155550100") }
        while fixture.session.state != .signedIn(Self.completed, .online) { await Task.yield() }
        fixture.store.holdChanges(at: nil)
        write.open()
        try await refresh.value
        _ = try await update.value
        #expect(fixture.session.state == .signedIn(Self.completed, .online))
        let record = try await fixture.storedRecord()
        #expect(record.user == Self.completed)
        #expect(record.tokens.accessToken.unredacted == "access-2")
    }
}
