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
struct SessionCoreTests {
    private static let ada = SessionUser(id: "ada")
    private static let eve = SessionUser(id: "eve")

    private func session(
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
                generation: number,
                tokens: tokens,
                user: user,
                authority: AuthorityRecord([:]),
                signIn: user?.id
            ),
            deadline: deadline(of: lifetime),
            stored: StoredItem(item: SecretBytes([UInt8(number)]), tokens: tokens),
            isRemembered: true,
            persistenceError: persistenceError
        )
    }

    private func deadline(of lifetime: TokenLifetime) -> TokenDeadline {
        let moment = ClockReading(date: Date(timeIntervalSince1970: 0), uptime: .zero)
        return TokenDeadline(lifetime, at: moment, window: .shortLivedToken, early: 0)
    }

    private func online(_ user: SessionUser? = ada) -> SessionCore.Effect { .publish(.signedIn(user, .online)) }

    private let isGone = SessionCore.Effect.dropRefresh(AuthSessionError(.notSignedIn))

    /// Returns a core that holds the first session.
    private func restored(_ user: SessionUser? = ada) throws -> SessionCore {
        var core = SessionCore()
        _ = core.apply(.restored(try session(0, of: user)))
        return core
    }

    // MARK: Restoring and checking

    @Test func `a core begins with nobody`() {
        let core = SessionCore()
        #expect(core.current == nil)
        #expect(core.generation == 0)
        #expect(core.pendingRemoval == nil)
        #expect(!core.hasAskedServer)
        #expect(!core.isClearing)
        #expect(!core.isEnding)
    }

    @Test func `restore: what the store holds is held and shown, in the same epoch`() throws {
        var core = SessionCore()
        #expect(core.apply(.restored(try session(0))) == [online()])
        #expect(core.current?.record.generation == 0)
        #expect(core.generation == 0)
        #expect(core.signIns == 0)
    }

    @Test func `that the server is asked is remembered`() throws {
        var core = try restored()
        #expect(core.apply(.serverAsked).isEmpty)
        #expect(core.hasAskedServer)
    }

    @Test func `the server confirms the session, and names its user`() throws {
        var core = try restored(nil)
        #expect(core.apply(.confirmed(Self.ada)) == [online()])
        #expect(core.current?.record.user == Self.ada)
        #expect(core.apply(.confirmed(nil)) == [online()])
        #expect(core.current?.record.user == Self.ada)
    }

    @Test func `a user that the server has named is kept, and nothing is shown`() throws {
        var core = try restored(nil)
        #expect(core.apply(.named(Self.ada)).isEmpty)
        #expect(core.current?.record.user == Self.ada)
    }

    @Test func `a session that stands beyond its end has another deadline`() throws {
        var core = try restored()
        let start = Date(timeIntervalSince1970: 0)
        let end = deadline(of: TokenLifetime(issuedAt: start, expiresAt: start + 60))
        #expect(core.apply(.foundEndless(end)) == [online()])
        #expect(core.current?.deadline.end == end.end)
    }

    // MARK: Steps of a refresh

    @Test func `adopt: another process's refresh is held and shown, in the same epoch`() throws {
        var core = try restored()
        let effects = core.apply(.adopted(try session(1), isNew: true, isOfSameUser: true))
        #expect(effects == [.forgetFailure, online()])
        #expect(core.current?.record.generation == 1)
        #expect(core.generation == 0)
        #expect(core.signIns == 0)
    }

    @Test func `adopt: a record with the same tokens is held, and nothing is shown`() throws {
        var core = try restored()
        #expect(core.apply(.adopted(try session(0), isNew: false, isOfSameUser: true)).isEmpty)
        #expect(core.generation == 0)
    }

    @Test(arguments: [true, false])
    func `adopt: another person begins another epoch, and the hooks hear of it`(isNew: Bool) throws {
        var core = try restored()
        let effects = core.apply(.adopted(try session(1, of: Self.eve), isNew: isNew, isOfSameUser: false))
        #expect(effects == [isGone, .forgetFailure, online(Self.eve), .notifyReplacedElsewhere(by: Self.eve)])
        #expect(core.current?.record.user == Self.eve)
        #expect(core.generation == 1)
        #expect(core.signIns == 1)
        #expect(core.signInGeneration == 0)
    }

    @Test func `reread: a session that is gone from the store is gone, in another epoch`() throws {
        var core = try restored()
        #expect(core.apply(.left) == [isGone, .publish(.signedOut(.signedOutElsewhere))])
        #expect(core.current == nil)
        #expect(core.pendingRemoval == nil)
        #expect(core.generation == 1)
        #expect(core.signIns == 0)
    }

    @Test func `journal: that a refresh has begun is held, and nothing is shown`() throws {
        var core = try restored()
        var begun = try session(0)
        begun.begunAt = .seconds(7)
        #expect(core.apply(.journaled(begun)).isEmpty)
        #expect(core.current?.begunAt == .seconds(7))
        #expect(core.generation == 0)
    }

    @Test func `a closed journal keeps the user that was named meanwhile`() throws {
        var core = try restored(nil)
        _ = core.apply(.named(Self.ada))
        #expect(core.apply(.journalClosed(try session(0, of: nil))).isEmpty)
        #expect(core.current?.record.user == Self.ada)
    }

    @Test func `a journal that is closed brings no session back`() throws {
        var core = SessionCore()
        #expect(core.apply(.journalClosed(try session(0))).isEmpty)
        #expect(core.current == nil)
    }

    @Test func `publish: new tokens are held and shown, in the same epoch`() throws {
        var core = try restored()
        #expect(core.apply(.refreshed(try session(1))) == [online()])
        #expect(core.current?.record.generation == 1)
        #expect(core.generation == 0)
        #expect(core.signIns == 0)
    }

    @Test func `keep: tokens that were in memory alone let the lock go once they are written`() throws {
        var core = try restored()
        #expect(core.apply(.refreshed(try session(1, persistenceError: SecureStoreError(.full)))) == [online()])
        #expect(core.apply(.kept(try session(1, persistenceError: SecureStoreError(.busy)))).isEmpty)
        #expect(core.current?.persistenceError == SecureStoreError(.busy))
        #expect(core.apply(.kept(try session(1))) == [.releaseUnsavedTokens])
        #expect(core.current?.persistenceError == nil)
        #expect(core.apply(.kept(try session(1))).isEmpty)
    }

    @Test func `keep: where the store holds other tokens by now the lock is let go`() throws {
        var core = try restored()
        _ = core.apply(.refreshed(try session(1, persistenceError: SecureStoreError(.full))))
        #expect(core.apply(.overtaken) == [.releaseUnsavedTokens])
        #expect(core.current?.persistenceError == nil)
    }

    @Test func `a session that is gone lets go of the lock for its tokens, before anything else`() throws {
        let ends = [SessionCore.Event.left, .signedOut, .ended(AuthSessionError(.sessionEnded), because: .expired)]
        for end in ends {
            var core = try restored()
            _ = core.apply(.refreshed(try session(1, persistenceError: SecureStoreError(.full))))
            #expect(core.apply(end).first == .releaseUnsavedTokens)
            #expect(core.current == nil)
        }
    }

    @Test func `a sign-in lets go of the lock for the tokens before it`() throws {
        var core = try restored()
        _ = core.apply(.refreshed(try session(1, persistenceError: SecureStoreError(.full))))
        #expect(core.apply(.signedIn(try session(2))) == [.releaseUnsavedTokens, isGone, .hideTokens])
    }

    @Test func `an ID token that was verified is held beside its tokens`() throws {
        var core = try restored()
        let idToken = try IDToken("a.b.c")
        #expect(core.apply(.verified(idToken)).isEmpty)
        #expect(core.current?.record.tokens.idToken == idToken)
        let item = StoredItem(item: SecretBytes([9]), tokens: try session(0).record.tokens)
        #expect(core.apply(.stored(item)).isEmpty)
        #expect(core.current?.stored?.item == item.item)
        #expect(core.current?.record.generation == 0)
    }

    // MARK: The end of a session

    @Test func `end: the server's word is shown before who waits is told, and stays`() throws {
        var core = try restored()
        let error = AuthSessionError(.sessionEnded)
        let effects = core.apply(.ended(error, because: .refreshResponseLost))
        #expect(effects == [.publish(.signedOut(.refreshResponseLost)), .dropRefresh(error)])
        #expect(core.current == nil)
        #expect(core.pendingRemoval == nil)
        #expect(core.endError == error)
        #expect(core.generation == 1)
    }

    @Test func `end: removals are counted, for several may be under way`() {
        var core = SessionCore()
        for _ in 0..<2 { #expect(core.apply(.removalBegan).isEmpty) }
        _ = core.apply(.removalEnded)
        #expect(core.isEnding)
        #expect(core.apply(.removalEnded).isEmpty)
        #expect(!core.isEnding)
    }

    // MARK: Sign-in and sign-out

    @Test func `a sign-in begins another epoch, and nothing is shown before it is written`() throws {
        var core = SessionCore()
        #expect(core.apply(.signedIn(try session(0))) == [isGone, .hideTokens])
        #expect(core.current?.record.user == Self.ada)
        #expect(core.generation == 1)
        #expect(core.signInGeneration == 1)
        #expect(core.signIns == 1)
        #expect(core.hasAskedServer)
    }

    @Test func `a sign-in of another person tells the hooks of it`() throws {
        var core = try restored()
        #expect(core.apply(.signedIn(try session(1, of: Self.eve))) == [isGone, .hideTokens, .notifyReplaced])
    }

    @Test func `a sign-in of the same person tells nobody`() throws {
        var core = try restored()
        #expect(core.apply(.signedIn(try session(1))) == [isGone, .hideTokens])
    }

    @Test func `two whom nobody has named may be two people`() throws {
        var core = try restored(nil)
        #expect(core.apply(.signedIn(try session(1, of: nil))) == [isGone, .hideTokens, .notifyReplaced])
    }

    @Test func `a session that is not to be kept notes that the store was emptied for it`() throws {
        var core = SessionCore()
        var new = try session(0)
        new.replaced = .unknown
        _ = core.apply(.signedIn(new))
        #expect(core.apply(.storeEmptied).isEmpty)
        #expect(core.current?.isStoreEmptied == true)
        guard case .nothing = core.current?.replaced else {
            Issue.record("it still takes the place of something")
            return
        }
    }

    @Test func `who asks to be signed out calls off a sign-in that is under way, and no more`() throws {
        var core = try restored()
        #expect(core.apply(.signOutAsked).isEmpty)
        #expect(core.signInGeneration == 1)
        #expect(core.generation == 0)
        #expect(core.current != nil)
    }

    @Test func `a sign-out is shown at once, and its session is still to be removed`() throws {
        var core = try restored()
        #expect(core.apply(.signedOut) == [isGone, .publish(.signedOut(.userSignedOut))])
        #expect(core.current == nil)
        #expect(core.generation == 1)
        let ended = try #require(core.pendingRemoval)
        #expect(ended.session.record.generation == 0)
        #expect(core.apply(.removed(ended)).isEmpty)
        #expect(core.pendingRemoval == nil)
    }

    @Test func `a sign-out of nobody begins another epoch, and leaves what is still to be removed`() throws {
        var core = try restored()
        _ = core.apply(.signedOut)
        let ended = try #require(core.pendingRemoval)
        #expect(core.apply(.signedOut) == [isGone])
        #expect(core.generation == 2)
        #expect(core.pendingRemoval === ended)
    }

    @Test func `a removal of an earlier session leaves a later one to be removed`() throws {
        var core = try restored()
        _ = core.apply(.signedOut)
        let earlier = try #require(core.pendingRemoval)
        _ = core.apply(.signedIn(try session(1)))
        #expect(core.pendingRemoval == nil)
        _ = core.apply(.signedOut)
        _ = core.apply(.removed(earlier))
        #expect(core.pendingRemoval?.session.record.generation == 1)
    }

    @Test func `clearings are counted, for several may be under way`() {
        var core = SessionCore()
        for _ in 0..<2 { #expect(core.apply(.clearingBegan).isEmpty) }
        _ = core.apply(.clearingEnded)
        #expect(core.isClearing)
        #expect(core.apply(.clearingEnded).isEmpty)
        #expect(!core.isClearing)
    }

    // MARK: Tokens that were handed out

    @Test func `a token of another person's session is an earlier session's`() throws {
        var core = try restored()
        let old = try AccessToken("access-0")
        #expect(!core.isOfEarlierSession(old))
        _ = core.apply(.signedIn(try session(1, of: Self.eve)))
        #expect(core.isOfEarlierSession(old))
        #expect(!core.isOfEarlierSession(try AccessToken("access-1")))
    }

    @Test func `what was under way with the old token goes on after a sign-in of the same person`() throws {
        var core = try restored()
        _ = core.apply(.signedIn(try session(1)))
        #expect(!core.isOfEarlierSession(try AccessToken("access-0")))
    }

    @Test func `a token that a refresh has replaced is of the same session`() throws {
        var core = try restored()
        _ = core.apply(.refreshed(try session(1)))
        #expect(!core.isOfEarlierSession(try AccessToken("access-0")))
    }

    @Test func `a token of a session that is over is an earlier session's once somebody is signed in`() throws {
        var core = try restored()
        _ = core.apply(.signedOut)
        _ = core.apply(.signedIn(try session(1)))
        #expect(core.isOfEarlierSession(try AccessToken("access-0")))
    }
}
