// SPDX-License-Identifier: Apache-2.0

import AuthCore
import SecureStore
import Synchronization

/// The verdict on single events.
extension World {
    /// Judges a reuse that ended its family at the server.
    ///
    /// Reuse is a fault of the client unless the newer token was lost: no living process received it, and the store
    /// does not hold it.
    /// Then the old token is the last resort. A sign-out that could not read the store may use an old token as well,
    /// since it ends the family anyway.
    func judge(_ reuse: SimulatedServer.Reuse) async {
        note("REUSE of \(reuse.presented), the current one is \(reuse.current)")
        let isReceived = content.withLock { content in
            content.losses += 1
            let receivers = content.deliveries[reuse.current] ?? []
            return content.lives.contains { receivers.contains($0.number) && !$0.isDead }
        }
        if content.withLock({ $0.signingOut.contains(reuse.presented.family) }) { return }
        let stored = await storedToken()
        let isStored =
            stored.map { $0.family == reuse.current.family && $0.rotation >= reuse.current.rotation } ?? false
        if plan.isSurvivable { return history.fault("a token was used twice in a survivable schedule") }
        if reuse.presented.rotation < reuse.current.rotation - 1 {
            return history.fault("a token arrived two rotations late")
        }
        if isReceived { return history.fault("a token was used twice although a living process had its successor") }
        if isStored { history.fault("a token was used twice although its successor was stored") }
    }

    /// Judges whether a returned access token is for the requested API.
    ///
    /// A sign-out refreshes an expired session without a journal. If the store still holds the session, a refresh for
    /// an API may then get the repeated response. That is no fault, since the sign-out ends the family anyway.
    func judge(_ token: SimulatedServer.Number, returnedFor target: String?, by life: Life) {
        let issued = server.target(of: token)
        guard issued != target, !content.withLock({ $0.signingOut.contains(token.family) }) else { return }
        let (requested, given) = (target ?? "the session", issued ?? "the session")
        history.fault("process \(life.number) returns \(token) for \(requested), but it was issued for \(given)")
    }

    /// The number of tokens that were lost for good.
    var losses: Int { content.withLock { $0.losses } }
    /// The number of processes that died.
    var kills: Int { content.withLock { $0.kills } }

    /// Returns whether the user signed out of a family, and no result reported that the store may still hold it.
    func isSignedOut(_ family: Int) -> Bool {
        content.withLock { $0.signedOut.contains(family) && !$0.leftBehind.contains(family) }
    }

    /// Returns whether the result of a sign-out reported that the store may still hold a family.
    func isLeftBehind(_ family: Int) -> Bool {
        content.withLock { $0.leftBehind.contains(family) }
    }

    /// Records the start of a sign-out.
    func signingOut(of family: Int?) {
        content.withLock { content in
            if let family { content.signingOut.insert(family) }
            content.signOutsInFlight += 1
            content.sessionToKeep = nil
        }
    }

    /// Records the end of a sign-out, if its process has lived that long.
    func signOutEnded() {
        content.withLock { $0.signOutsInFlight -= 1 }
    }

    /// Records a sign-in; its session must last unless a sign-out runs at the same time.
    func signedIn(to family: Int) {
        content.withLock { content in
            if content.signOutsInFlight == 0 { content.sessionToKeep = family }
        }
    }

    /// The session that must exist at the end; nil if a sign-out has started since, or ran during the sign-in.
    var sessionToKeep: Int? { content.withLock { $0.sessionToKeep } }

    /// Records a sign-out.
    func signedOut(of family: Int, isRemoved: Bool) {
        content.withLock { content in
            content.signedOut.insert(family)
            if !isRemoved { content.leftBehind.insert(family) }
        }
    }

    /// Returns the stored refresh token.
    func storedToken() async -> SimulatedServer.Number? {
        guard let item = try? await store.item(forKey: StoreKey("session")) else { return nil }
        // The record's format is private to the session; this searches for the server's own text.
        let text = String(decoding: item.unredacted, as: UTF8.self)
        guard let begin = text.range(ofText: "refresh-") else { return nil }
        return SimulatedServer.Number(String(text[begin].prefix { $0 != "\"" }))
    }
}

extension String {
    /// Returns the range that begins with a text.
    fileprivate func range(ofText text: String) -> PartialRangeFrom<Index>? {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(text) { return rest.startIndex... }
            rest = rest.dropFirst()
        }
        return nil
    }
}
