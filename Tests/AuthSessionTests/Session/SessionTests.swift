// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore
import Testing

@testable import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Every transition of a session, without an actor, a store or a clock.
struct SessionTests {
    static let ada = SessionUser(id: "ada")
    static let eve = SessionUser(id: "eve")

    func session(
        _ number: Int,
        of user: SessionUser? = ada,
        persistenceError: SecureStoreError? = nil
    ) throws -> CurrentSession {
        let lifetime = TokenLifetime(issuedAt: nil, expiresAt: nil)
        let tokens = TokenSet(
            accessToken: try AccessToken("access-\(number)"),
            lifetime: lifetime,
            refreshToken: try RefreshToken("refresh-\(number)")
        )
        return CurrentSession(
            record: SessionRecord(
                tokenGeneration: number,
                tokens: tokens,
                user: user,
                authority: AuthorityRecord(id: AuthorityID(kind: "test", server: "https://a.example")),
                signIn: user?.id ?? "\(number)"
            ),
            deadline: deadline(of: lifetime),
            stored: StoredItem(item: SecretBytes([UInt8(number)]), tokens: tokens),
            isRemembered: true,
            persistenceError: persistenceError
        )
    }

    private func deadline(of lifetime: TokenLifetime) -> TokenDeadline {
        let reading = ClockReading(date: Date(timeIntervalSince1970: 0), uptime: .zero)
        return TokenDeadline(lifetime, at: reading, window: .shortLivedToken, early: 0)
    }

    private func online(_ user: SessionUser? = ada) -> Session.Effect { .publish(.signedIn(user, .online)) }

    let dropsRefresh = Session.Effect.dropRefresh(AuthSessionError(.notSignedIn))

    /// Returns a core that holds the first session.
    func restored(_ user: SessionUser? = ada) throws -> Session {
        var core = Session()
        _ = core.restore(try session(0, of: user))
        return core
    }

    // MARK: Restoring and checking

    @Test func `a new core holds no session`() {
        let core = Session()
        #expect(core.current == nil)
        #expect(core.epoch == 0)
        #expect(core.pendingRemoval == nil)
        #expect(!core.hasAskedServer)
        #expect(core.clearsInFlight == 0)
        #expect(core.removalsInFlight == 0)
    }

    @Test func `restore: a stored session is held, published and announced in the same epoch`() throws {
        var core = Session()
        #expect(core.restore(try session(0)) == [online(), .notifyRestored(Self.ada)])
        #expect(core.current?.record.tokenGeneration == 0)
        #expect(core.epoch == 0)
        #expect(core.signIns == 0)
    }

    @Test func `a core remembers that the server was asked`() throws {
        var core = try restored()
        core.noteServerAsked()
        #expect(core.hasAskedServer)
    }

    @Test func `a confirmation publishes the session and names its user`() throws {
        var core = try restored(nil)
        #expect(core.confirm(Self.ada) == [online()])
        #expect(core.current?.record.user == Self.ada)
        #expect(core.confirm(nil) == [online()])
        #expect(core.current?.record.user == Self.ada)
    }

    @Test func `a user that the server names is held, and no state is published`() throws {
        var core = try restored(nil)
        core.name(Self.ada)
        #expect(core.current?.record.user == Self.ada)
        #expect(core.profileUpdates == 0)
    }

    @Test func `a changed profile is published and counted`() throws {
        var core = try restored(nil)
        #expect(core.changeProfile(to: Self.ada) == [online()])
        #expect(core.current?.record.user == Self.ada)
        #expect(core.profileUpdates == 1)
    }

    @Test func `a refresh whose write began before a changed profile keeps the changed user`() throws {
        var core = try restored(nil)
        _ = core.changeProfile(to: Self.ada)
        core.replaceTokens(by: try session(0, of: nil))
        #expect(core.current?.record.user == Self.ada)
        #expect(core.refresh(with: try session(1, of: nil)) == [online()])
        #expect(core.current?.record.user == Self.ada)
        #expect(core.current?.record.tokenGeneration == 1)
    }

    @Test func `a session that outlives its expiry gets a new deadline`() throws {
        var core = try restored()
        let start = Date(timeIntervalSince1970: 0)
        let end = deadline(of: TokenLifetime(issuedAt: start, expiresAt: start + 60))
        #expect(core.extend(to: end) == [online()])
        #expect(core.current?.deadline.end == end.end)
    }

    // MARK: Steps of a refresh

    @Test func `adopt: another process's refresh is held and published in the same epoch`() throws {
        var core = try restored()
        let effects = core.adopt(try session(1), isNew: true, isOfSameUser: true)
        #expect(effects == [.observe(.adopted), .forgetFailure, online()])
        #expect(core.current?.record.tokenGeneration == 1)
        #expect(core.epoch == 0)
        #expect(core.signIns == 0)
    }

    @Test func `adopt: a record with the same tokens is held, and no state is published`() throws {
        var core = try restored()
        #expect(core.adopt(try session(0), isNew: false, isOfSameUser: true).isEmpty)
        #expect(core.epoch == 0)
    }

    @Test(arguments: [true, false])
    func `adopt: another user starts a new epoch, and the hooks are notified`(isNew: Bool) throws {
        var core = try restored()
        let effects = core.adopt(try session(1, of: Self.eve), isNew: isNew, isOfSameUser: false)
        let isAdopted: [Session.Effect] = [.observe(.adopted), dropsRefresh, .forgetFailure, online(Self.eve)]
        #expect(effects == isAdopted + [.notifyReplacedElsewhere(by: Self.eve)])
        #expect(core.current?.record.user == Self.eve)
        #expect(core.epoch == 1)
        #expect(core.signIns == 1)
        #expect(core.signInEpoch == 0)
    }

    @Test func `reread: a session that is missing from the store is dropped, in a new epoch`() throws {
        var core = try restored()
        #expect(core.leave() == [dropsRefresh, .publish(.signedOut(.signedOutElsewhere))])
        #expect(core.current == nil)
        #expect(core.pendingRemoval == nil)
        #expect(core.epoch == 1)
        #expect(core.signIns == 0)
    }

    @Test func `journal: a refresh that has begun is held, and no state is published`() throws {
        var core = try restored()
        var begun = try session(0)
        begun.begunAt = .seconds(7)
        core.replaceTokens(by: begun)
        #expect(core.current?.begunAt == .seconds(7))
        #expect(core.epoch == 0)
    }

    @Test func `a refresh in progress does not undo an invalidation, and new tokens do`() throws {
        let start = Date(timeIntervalSince1970: 0)
        let ended = TokenLifetime(issuedAt: nil, expiresAt: start)
        var (begun, closed) = (try session(0), try session(0))
        begun.begunAt = .seconds(7)
        let reading = ClockReading(date: start, uptime: .zero)
        closed.record.refreshRefusal = RefreshRefusal(AuthSessionError(.refreshRefused), at: reading)
        for journal in [begun, closed] {
            var core = try restored()
            core.invalidate(lifetime: ended, deadline: deadline(of: ended))
            core.replaceTokens(by: journal)
            #expect(core.current?.begunAt == journal.begunAt)
            #expect(core.current?.record.refreshRefusal == journal.record.refreshRefusal)
            #expect(core.current?.record.tokens.lifetime == ended)
            #expect(core.current?.deadline.end == deadline(of: ended).end)
            _ = core.refresh(with: try session(1))
            #expect(core.current?.record.tokens.lifetime.expiresAt == nil)
        }
    }

    @Test func `a closed journal keeps a user that was named in between`() throws {
        var core = try restored(nil)
        core.name(Self.ada)
        core.replaceTokens(by: try session(0, of: nil))
        #expect(core.current?.record.user == Self.ada)
    }

    @Test func `a closed journal does not restore a session`() throws {
        var core = Session()
        core.replaceTokens(by: try session(0))
        #expect(core.current == nil)
    }

    @Test func `publish: new tokens are held and published in the same epoch`() throws {
        var core = try restored()
        #expect(core.refresh(with: try session(1)) == [online()])
        #expect(core.current?.record.tokenGeneration == 1)
        #expect(core.epoch == 0)
        #expect(core.signIns == 0)
    }

    /// Returns a core whose tokens could not be written.
    private func unsaved() throws -> Session {
        var core = try restored()
        let unsaved = try session(1, persistenceError: SecureStoreError(.full))
        let effects = core.apply { $0.refresh(with: unsaved) }
        #expect(effects == [.observe(.tokensUnsaved(.full)), online()])
        return core
    }

    @Test func `keep: unsaved tokens release the lock once they are stored`() throws {
        var core = try unsaved()
        func keep(_ written: CurrentSession) -> [Session.Effect] {
            core.apply { session in
                session.noteWrite(written)
                return []
            }
        }
        #expect(keep(try session(1, persistenceError: SecureStoreError(.busy))).isEmpty)
        #expect(core.current?.persistenceError == SecureStoreError(.busy))
        #expect(keep(try session(1)) == [.releaseUnsavedTokens])
        #expect(core.current?.persistenceError == nil)
        #expect(keep(try session(1)).isEmpty)
    }

    @Test func `keep: the lock is released if the store holds other tokens by now`() throws {
        var core = try unsaved()
        let effects = core.apply { session in
            session.noteOvertaken()
            return []
        }
        #expect(effects == [.releaseUnsavedTokens])
        #expect(core.current?.persistenceError == nil)
    }

    @Test func `a failed write that changes no tokens is observed`() throws {
        var core = try restored()
        let effects = core.apply { session in
            session.noteFailedWrite(SecureStoreError(.full))
            return []
        }
        #expect(effects == [.observe(.tokensUnsaved(.full))])
        #expect(core.current?.persistenceError == SecureStoreError(.full))
    }

    @Test func `a session that ends releases the lock for unsaved tokens first`() throws {
        let ends: [(inout Session) -> [Session.Effect]] = [
            { $0.leave() }, { $0.signOut(because: .userSignedOut) },
            { $0.end(AuthSessionError(.sessionEnded), because: .expired) },
        ]
        for end in ends {
            var core = try unsaved()
            #expect(core.apply(end).first == .releaseUnsavedTokens)
            #expect(core.current == nil)
        }
    }

    @Test func `a sign-in releases the lock for unsaved tokens of the earlier session`() throws {
        var core = try unsaved()
        let new = try session(2)
        #expect(core.apply { $0.signIn(new) } == [.releaseUnsavedTokens, dropsRefresh, .hideTokens])
    }

    @Test func `a verified ID token is held with its tokens`() throws {
        let idToken = try IDToken("a.b.c")
        var received = try session(0)
        received.record.receivedIDToken = ReceivedIDToken(idToken, at: Date(timeIntervalSince1970: 0))
        var core = Session()
        _ = core.restore(received)
        core.keepIDToken(idToken)
        #expect(core.current?.record.tokens.idToken == idToken)
        #expect(core.current?.record.receivedIDToken == nil)
        let item = StoredItem(item: SecretBytes([9]), tokens: try session(0).record.tokens)
        core.noteStored(item)
        #expect(core.current?.stored?.item == item.item)
        #expect(core.current?.record.tokenGeneration == 0)
    }
}
