import AuthCore

/// The access tokens of the last sessions, for any API, each with its generation.
///
/// A request that was refused with a token of an older generation belongs to a user who is no longer signed in. It must
/// not be repeated with the current user's token.
struct HandedOutTokens {
    private static let limit = 64
    private var tokens: [(token: AccessToken, generation: Int)] = []

    /// Notes all access tokens of a session.
    mutating func note(_ record: SessionRecord?, generation: Int) {
        guard let record else { return }
        note(record.tokens.accessToken, generation: generation)
        for token in record.resourceTokens.all { note(token.accessToken, generation: generation) }
    }

    private mutating func note(_ token: AccessToken, generation: Int) {
        guard !tokens.contains(where: { $0.generation == generation && $0.token == token }) else { return }
        tokens.append((token, generation))
        if tokens.count > Self.limit { tokens.removeFirst() }
    }

    /// Returns whether a token was handed out in an earlier generation and not in this one.
    func isOlder(_ token: AccessToken, than generation: Int) -> Bool {
        let generations = tokens.filter { $0.token == token }.map(\.generation)
        return !generations.isEmpty && !generations.contains(generation)
    }
}
