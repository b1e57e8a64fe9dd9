// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@testable import AuthSession

/// The transitions by which a session begins and ends, and the tokens of earlier sessions.
extension SessionTests {
    // MARK: The end of a session

    @Test func `end: removals are counted, since several may be in flight`() {
        var core = Session()
        for _ in 0..<2 { core.beginRemoval() }
        core.endRemoval()
        #expect(core.removalsInFlight == 1)
        core.endRemoval()
        #expect(core.removalsInFlight == 0)
    }

    @Test func `end: the signed-out state is published before waiting callers fail, and the error is kept`() throws {
        var core = try restored()
        let error = AuthSessionError(.sessionEnded)
        let effects = core.end(error, because: .refreshResponseLost)
        #expect(effects == [.publish(.signedOut(.refreshResponseLost)), .dropRefresh(error)])
        #expect(core.current == nil)
        #expect(core.pendingRemoval == nil)
        #expect(core.endError == error)
        #expect(core.epoch == 1)
    }

    // MARK: Sign-in and sign-out

    @Test func `a sign-in starts a new epoch, and no state is published before it is written`() throws {
        var core = Session()
        #expect(core.signIn(try session(0)) == [dropsRefresh, .hideTokens])
        #expect(core.current?.record.user == Self.ada)
        #expect(core.epoch == 1)
        #expect(core.signInEpoch == 1)
        #expect(core.signIns == 1)
        #expect(core.hasAskedServer)
    }

    @Test func `a sign-in of another user notifies the hooks`() throws {
        var core = try restored()
        #expect(core.signIn(try session(1, of: Self.eve)) == [dropsRefresh, .hideTokens, .notifyReplaced])
    }

    @Test func `a sign-in of the same user does not notify the hooks`() throws {
        var core = try restored()
        #expect(core.signIn(try session(1)) == [dropsRefresh, .hideTokens])
    }

    @Test func `two sign-ins without a user count as different users`() throws {
        var core = try restored(nil)
        #expect(core.signIn(try session(1, of: nil)) == [dropsRefresh, .hideTokens, .notifyReplaced])
    }

    @Test func `a session that is not remembered records that the store was emptied for it`() throws {
        var core = Session()
        var new = try session(0)
        new.replaced = .unknown
        _ = core.signIn(new)
        core.noteStoreEmptied()
        #expect(core.current?.isStoreEmptied == true)
        guard case .nothing = core.current?.replaced else {
            Issue.record("the session still replaces another one")
            return
        }
    }

    @Test func `a sign-out request cancels a sign-in in flight and changes nothing else`() throws {
        var core = try restored()
        core.cancelSignIn()
        #expect(core.signInEpoch == 1)
        #expect(core.epoch == 0)
        #expect(core.signIns == 0)
        #expect(core.pendingRemoval == nil)
        #expect(core.current?.record.tokenGeneration == 0)
    }

    @Test func `a sign-out is published at once, and its session is pending removal`() throws {
        var core = try restored()
        #expect(
            core.signOut(because: .userSignedOut) == [dropsRefresh, .publish(.signedOut(.userSignedOut))]
        )
        #expect(core.current == nil)
        #expect(core.epoch == 1)
        let ended = try #require(core.pendingRemoval)
        #expect(ended.session.record.tokenGeneration == 0)
        core.noteRemoval(of: ended)
        #expect(core.pendingRemoval == nil)
    }

    @Test func `a sign-out without a session starts a new epoch and keeps the pending removal`() throws {
        var core = try restored()
        _ = core.signOut(because: .userSignedOut)
        let ended = try #require(core.pendingRemoval)
        #expect(core.signOut(because: .userSignedOut) == [dropsRefresh])
        #expect(core.epoch == 2)
        #expect(core.pendingRemoval === ended)
    }

    @Test func `the removal of an earlier session keeps the pending removal of a later one`() throws {
        var core = try restored()
        _ = core.signOut(because: .userSignedOut)
        let earlier = try #require(core.pendingRemoval)
        _ = core.signIn(try session(1))
        #expect(core.pendingRemoval == nil)
        _ = core.signOut(because: .userSignedOut)
        core.noteRemoval(of: earlier)
        #expect(core.pendingRemoval?.session.record.tokenGeneration == 1)
    }

    @Test func `clears are counted, since several may be in flight`() {
        var core = Session()
        for _ in 0..<2 { core.beginClear() }
        core.endClear()
        #expect(core.clearsInFlight == 1)
        core.endClear()
        #expect(core.clearsInFlight == 0)
    }

    // MARK: Tokens that were handed out

    @Test func `a token of another user's session belongs to an earlier session`() throws {
        var core = try restored()
        let old = try AccessToken("access-0")
        #expect(!core.isOfEarlierSession(old))
        _ = core.signIn(try session(1, of: Self.eve))
        #expect(core.isOfEarlierSession(old))
        #expect(!core.isOfEarlierSession(try AccessToken("access-1")))
    }

    @Test func `an old token belongs to the same session after a sign-in of the same user`() throws {
        var core = try restored()
        _ = core.signIn(try session(1))
        #expect(!core.isOfEarlierSession(try AccessToken("access-0")))
    }

    @Test func `a token that a refresh has replaced belongs to the same session`() throws {
        var core = try restored()
        _ = core.refresh(with: try session(1))
        #expect(!core.isOfEarlierSession(try AccessToken("access-0")))
    }

    @Test func `a token of an ended session belongs to an earlier session after the next sign-in`() throws {
        var core = try restored()
        _ = core.signOut(because: .userSignedOut)
        _ = core.signIn(try session(1))
        #expect(core.isOfEarlierSession(try AccessToken("access-0")))
    }
}
