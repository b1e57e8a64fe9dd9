import AuthCore

/// The access tokens of the last sessions, each with the epoch it was good in.
///
/// A request that was refused with one of an older epoch belongs to somebody who is not signed in any more: it must not
/// go out again in the name of who is now.
struct HandedOutTokens {
    private static let limit = 32
    private var tokens: [(token: AccessToken, epoch: Int)] = []

    mutating func note(_ token: AccessToken?, epoch: Int) {
        guard let token, tokens.last?.token != token || tokens.last?.epoch != epoch else { return }
        tokens.append((token, epoch))
        if tokens.count > Self.limit { tokens.removeFirst() }
    }

    /// Whether a token was handed out in an earlier epoch and not in this one.
    func isOlder(_ token: AccessToken, than epoch: Int) -> Bool {
        let epochs = tokens.filter { $0.token == token }.map(\.epoch)
        return !epochs.isEmpty && !epochs.contains(epoch)
    }
}
