// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import SecureStore
import Testing

@testable import AppBackendSession
@testable import AuthSession
@testable import AuthSessionTests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sessions of older versions that kept several items.
@Suite(.timeLimit(.minutes(5)))
struct LegacySessionTests {
    private static func jwt(subject: String) -> String { Backend.jwt(#"{"sub":"\#(subject)"}"#) }

    // MARK: The user

    @Test func `an older user ID is known from the start, and the server's user replaces it for good`() async throws {
        let install = try await LegacyInstall(.sessionToken, ["authToken": "old-token", "userId": "u1"])
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedIn(SessionUser(id: "u1"), .online))
        try await install.expectMigrated()
        #expect(await install.session.validate() == install.fixture.signedInState)
        #expect(try await install.record().user == install.fixture.user)
    }

    @Test func `an older user ID of another user is replaced by the server's, and a sign-out removes the session`()
        async throws
    {
        let install = try await LegacyInstall(.sessionToken, ["authToken": "old-token", "userId": "u9"])
        await install.session.restore(validating: false)
        #expect(await install.session.validate() == install.fixture.signedInState)
        #expect(try await install.record().user?.id == "u1")
        #expect(await install.session.signOut().storeError == nil)
        #expect(try await install.target.names == [])
    }

    @Test(arguments: ["", " ", "\t", "a\nb", "a\u{0}b", String(repeating: "a", count: 256)])
    func `an invalid older user ID does not stop the migration`(id: String) async throws {
        let install = try await LegacyInstall(.sessionToken, ["authToken": "old-token", "userId": id])
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedIn(nil, .online))
        try await install.expectMigrated()
    }

    @Test func `an older user ID that is not UTF-8 does not stop the migration`() async throws {
        let install = try await LegacyInstall(.sessionToken, ["authToken": "old-token"])
        try await install.legacy.setItem(SecretBytes([0xFF, 0xFE]), forKey: StoreKey("userId"))
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedIn(nil, .online))
        try await install.expectMigrated()
    }

    @Test(arguments: [("u1", "u1"), ("u2", nil)] as [(String, String?)])
    func `an older user ID is used only if the token does not name another subject`(
        subject: String,
        expected: String?
    ) async throws {
        let items = ["authToken": Self.jwt(subject: subject), "userId": "u1"]
        let install = try await LegacyInstall(.sessionToken, items)
        await install.session.restore(validating: false)
        #expect(try await install.record().user?.id == expected)
        try await install.expectMigrated()
    }

    @Test func `a user ID without a token is no session, and the next session's sign-out removes it`() async throws {
        let install = try await LegacyInstall(.sessionToken, ["userId": "u1"])
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedOut(.noSession))
        try await install.session.signIn(with: Fixture.credential(), for: AppleSignInAttempt())
        await install.session.signOut()
        #expect(try await install.legacy.legacyNames == [])
        #expect(try await install.target.names == [])
    }

    @Test func `a sign-out before the first restore removes all older items`() async throws {
        for contract in [SessionBackend.Contract.sessionToken, .tokenPair] {
            let items = [
                "authToken": "t", "userId": "u1", "accessToken": "a", "refreshToken": "r", "tokenExpiry": "1",
            ]
            let install = try await LegacyInstall(contract, items)
            await install.session.signOut()
            let left = try await install.legacy.legacyNames.sorted()
            let foreign = contract == .tokenPair ? ["authToken"] : ["accessToken", "refreshToken", "tokenExpiry"]
            #expect(left == foreign)
            #expect(try await install.target.names == [])
        }
    }

    /// The items under the default names are another app's.
    @Test(arguments: [SessionBackend.Contract.sessionToken, .tokenPair])
    func `the items are taken from the names that the app passes, and no others`(
        contract: SessionBackend.Contract
    ) async throws {
        let (fixture, legacy) = (try Fixture(contract), MemoryStore())
        let user = Self.jwt(subject: "u1")
        let own = ["jwt": user, "uid": "u1", "at": user, "rt": "old-r", "until": "1800000900"]
        let foreign = [
            "authToken": "x", "userId": "u9", "accessToken": "x", "refreshToken": "x", "tokenExpiry": "1",
        ]
        for (account, text) in own.merging(foreign, uniquingKeysWith: { first, _ in first }) {
            try await legacy.setItem(SecretBytes(Array(text.utf8)), forKey: StoreKey(account))
        }
        let target = MemoryStore()
        let store = try fixture.session.backend.store(
            target,
            migratingFrom: [legacyPlace(in: legacy)],
            names: LegacySessionNames(
                token: "jwt",
                userID: "uid",
                accessToken: "at",
                refreshToken: "rt",
                tokenExpiry: "until"
            )
        )
        let item = try #require(await store.item(forKey: SessionRecord.key))
        await store.finishCleanUp()
        let record = try SessionRecord(item)
        #expect(record.user?.id == "u1")
        #expect(record.tokens.accessToken.unredacted == user)
        if contract == .tokenPair {
            #expect(record.tokens.refreshToken?.unredacted == "old-r")
            #expect(record.tokens.lifetime.expiresAt == Date(timeIntervalSince1970: 1_800_000_900))
        }
        let taken = contract == .sessionToken ? ["jwt", "uid"] : ["at", "rt", "uid", "until"]
        for account in own.keys {
            #expect(try await (legacy.item(forKey: StoreKey(account)) == nil) == taken.contains(account))
        }
        #expect(try await legacy.legacyNames == Set(foreign.keys))
    }

    // MARK: Pairs of tokens

    @Test func `three older items make a session, whose fresh access token is used`() async throws {
        let token = Self.jwt(subject: "u1")
        let items = ["accessToken": token, "refreshToken": "old-r", "userId": "u1"]
        let install = try await LegacyInstall(.tokenPair, items)
        let expiry = Int(install.fixture.clock.date.timeIntervalSince1970) + 900
        try await install.legacy.setItem(SecretBytes("\(expiry)".utf8), forKey: StoreKey("tokenExpiry"))
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedIn(SessionUser(id: "u1"), .online))
        #expect(try await install.session.accessToken().unredacted == token)
        #expect(install.fixture.refreshes == 0)
        try await install.expectMigrated()
        #expect(try await install.record().tokens.refreshToken?.unredacted == "old-r")
    }

    @Test func `the user of a pair is unknown unless the access token names them`() async throws {
        for token in ["old-a", Self.jwt(subject: "u2")] {
            let install = try await LegacyInstall(
                .tokenPair,
                ["accessToken": token, "refreshToken": "old-r", "tokenExpiry": "253402300799", "userId": "u1"]
            )
            await install.session.restore(validating: false)
            #expect(install.session.state == .signedIn(nil, .online))
        }
    }

    @Test(arguments: [
        nil, "", "soon", "-1", "1e3", "1.2.3", "nan", "inf", "0x10", "1", "99999999999999", "1700000000000",
        "2026-01-01", "2026-13-01T00:00:00Z", "0001-01-01T00:00:00Z", String(repeating: "1", count: 65),
    ])
    func `a missing, invalid or past expiry makes the session refresh first`(expiry: String?) async throws {
        var items = ["accessToken": "old-a", "refreshToken": "old-r"]
        items["tokenExpiry"] = expiry
        let install = try await LegacyInstall(.tokenPair, items)
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedIn(nil, .online))
        let sent = try await install.session.accessToken()
        #expect(sent.unredacted != "old-a")
        #expect(install.fixture.refreshes == 1)
        let body = try #require(install.fixture.transport.requests.last).members
        #expect(body["refreshToken"]?.string == "old-r")
        try await install.expectMigrated()
        #expect(try await install.record().tokens.refreshToken?.unredacted != "old-r")
    }

    @Test(arguments: [
        ("1800000000", 1_800_000_000), ("1800000000.75", 1_800_000_000.75),
        ("2027-01-15T08:00:00Z", 1_800_000_000), ("2027-01-15T08:00:00.750Z", 1_800_000_000.75),
        ("2027-01-15T10:00:00+02:00", 1_800_000_000), ("2027-01-15T10:00:00+0200", 1_800_000_000),
    ])
    func `an expiry is read in the forms that apps write`(text: String, expected: Double) async throws {
        let items = ["accessToken": "old-a", "refreshToken": "old-r", "tokenExpiry": text]
        let install = try await LegacyInstall(.tokenPair, items)
        await install.session.restore(validating: false)
        let expiresAt = try #require(try await install.record().tokens.lifetime.expiresAt).timeIntervalSince1970
        #expect(abs(expiresAt - expected) < 0.001)
    }

    @Test(arguments: [nil, "", "two words"]) func `a session without an access token refreshes first`(
        accessToken: String?
    ) async throws {
        var items = ["refreshToken": "old-r", "tokenExpiry": "253402300799"]
        items["accessToken"] = accessToken
        let install = try await LegacyInstall(.tokenPair, items)
        await install.session.restore(validating: false)
        let token = try await install.session.accessToken().unredacted
        #expect(!token.hasPrefix("migrated"))
        #expect(install.fixture.refreshes == 1)
        try await install.expectMigrated()
    }

    @Test func `a session without an access token stays signed in while the server can't be reached`() async throws {
        let install = try await LegacyInstall(.tokenPair, ["refreshToken": "old-r"])
        install.fixture.backend.on(Backend.pairRefresh, Backend.unreachable)
        await install.session.restore(validating: false)
        guard case .signedIn(nil, .offline) = await install.session.validate() else {
            Issue.record("\(install.session.state)")
            return
        }
        #expect(try await install.record().tokens.refreshToken?.unredacted == "old-r")
    }

    @Test func `items without a refresh token are no session and stay`() async throws {
        let items = ["accessToken": "old-a", "tokenExpiry": "253402300799", "userId": "u1"]
        let install = try await LegacyInstall(.tokenPair, items)
        await install.session.restore(validating: false)
        #expect(install.session.state == .signedOut(.noSession))
        #expect(try await install.legacy.legacyNames.count == 3)
    }

    @Test func `an old app's newer pair does not replace the session, and a sign-out removes it`() async throws {
        let install = try await LegacyInstall(.tokenPair, ["accessToken": "old-a", "refreshToken": "old-r"])
        await install.session.restore(validating: false)
        let token = try await install.session.accessToken()
        try await install.write(["accessToken": "newer-a", "refreshToken": "newer-r"])
        let next = try await install.nextLaunch()
        #expect(try await next.accessToken() == token)
        // The old app's sign-in: emptied, it would be lost there and never revoked.
        #expect(try await install.legacy.legacyNames.count == 2)
        await next.signOut()
        #expect(try await install.legacy.legacyNames == [])
        #expect(try await install.target.names == [])
    }

    @Test func `an old app's pair after a sign-out is a session`() async throws {
        let install = try await LegacyInstall(.tokenPair, ["accessToken": "old-a", "refreshToken": "old-r"])
        await install.session.restore(validating: false)
        await install.session.signOut()
        #expect(try await install.legacy.legacyNames == [])
        try await install.write(["accessToken": "newer-a", "refreshToken": "newer-r"])
        #expect(try await install.nextLaunch().state == .signedIn(nil, .online))
        try await install.expectMigrated()
    }

    @Test func `an older pair that a killed migration left is removed after a refresh too`() async throws {
        let items = ["accessToken": "old-a", "refreshToken": "old-r"]
        let install = try await LegacyInstall(.tokenPair, items)
        await install.session.restore(validating: false)
        let token = try await install.session.accessToken()
        // As if the process had been killed before it wrote the second mark.
        try await install.write(items)
        let mark = SecretBytes("sallyport-migration begun".utf8)
        try await install.target.setItem(mark, forKey: StoreKey("migrated-from.session"))
        #expect(try await install.nextLaunch().accessToken() == token)
        try await install.expectMigrated()
    }
}
