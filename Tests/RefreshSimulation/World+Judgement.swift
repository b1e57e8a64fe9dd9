import AuthCore
import SecureStore
import Synchronization

/// What is said of what happened.
extension World {
    /// Judges a token that ended its family at the server.
    ///
    /// It is a fault of the client, but where the newer token has been lost: heard by no process that lives, and in no
    /// store. Then showing the old one is the last resort. And a sign-out may show it that could not read the store: the
    /// family's end is what it is for.
    func judge(_ reuse: SimulatedServer.Reuse) async {
        note("REUSE of \(reuse.shown), the current one is \(reuse.current)")
        let isHeard = content.withLock { content in
            content.losses += 1
            let hearers = content.deliveries[reuse.current] ?? []
            return content.lives.contains { hearers.contains($0.number) && !$0.isDead }
        }
        if content.withLock({ $0.signingOut.contains(reuse.shown.family) }) { return }
        let stored = await storedToken()
        let isStored =
            stored.map { $0.family == reuse.current.family && $0.rotation >= reuse.current.rotation } ?? false
        if plan.isSurvivable { return history.fault("a token was used twice, and no fault was beyond saving") }
        if reuse.shown.rotation < reuse.current.rotation - 1 { return history.fault("a token came two rotations late") }
        if isHeard { return history.fault("a token was used twice whose successor a living process had heard") }
        if isStored { history.fault("a token was used twice whose successor was stored") }
    }

    /// How often a token was lost for good.
    var losses: Int { content.withLock { $0.losses } }
    /// How many processes died.
    var kills: Int { content.withLock { $0.kills } }
    /// Whether the person signed out of a family, and was not told that the store may still hold it.
    func isSignedOut(_ family: Int) -> Bool {
        content.withLock { $0.signedOut.contains(family) && !$0.leftBehind.contains(family) }
    }

    /// Whether the person was told that the store may still hold a family.
    func isLeftBehind(_ family: Int) -> Bool {
        content.withLock { $0.leftBehind.contains(family) }
    }

    /// Remembers that a sign-out begins.
    func signingOut(of family: Int?) {
        content.withLock { content in
            if let family { content.signingOut.insert(family) }
            content.signOutsUnderWay += 1
            content.sessionToKeep = nil
        }
    }

    /// Remembers that a sign-out is over, where its process has lived to its end.
    func signOutEnded() {
        content.withLock { $0.signOutsUnderWay -= 1 }
    }

    /// Remembers a sign-in, which is to be kept unless a sign-out is at work beside it.
    func signedIn(to family: Int) {
        content.withLock { content in
            if content.signOutsUnderWay == 0 { content.sessionToKeep = family }
        }
    }

    /// The session that must be there at the end; nil where a sign-out has begun since, or beside the sign-in.
    var sessionToKeep: Int? { content.withLock { $0.sessionToKeep } }

    /// Remembers a sign-out.
    func signedOut(of family: Int, isRemoved: Bool) {
        content.withLock { content in
            content.signedOut.insert(family)
            if !isRemoved { content.leftBehind.insert(family) }
        }
    }

    /// The refresh token that the store holds.
    func storedToken() async -> SimulatedServer.Number? {
        guard let item = try? await store.item(forKey: StoreKey("session")) else { return nil }
        // The record's format is the session's own; what is looked for here is a text of ours.
        let text = String(decoding: item.unredacted, as: UTF8.self)
        guard let begin = text.range(ofText: "refresh-") else { return nil }
        return SimulatedServer.Number(String(text[begin].prefix { $0 != "\"" }))
    }
}

extension String {
    /// What begins with a text.
    fileprivate func range(ofText text: String) -> PartialRangeFrom<Index>? {
        var rest = self[...]
        while !rest.isEmpty {
            if rest.hasPrefix(text) { return rest.startIndex... }
            rest = rest.dropFirst()
        }
        return nil
    }
}
