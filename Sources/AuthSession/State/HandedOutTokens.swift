// SPDX-License-Identifier: Apache-2.0

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
        for token in record.resourceTokens.all { note(token.accessToken, generation: generation) }
        note(record.tokens.accessToken, generation: generation)
    }

    /// Notes an access token as the newest.
    mutating func note(_ token: AccessToken, generation: Int) {
        tokens.removeAll { $0.generation == generation && $0.token == token }
        tokens.append((token, generation))
        if tokens.count > Self.limit { tokens.removeFirst() }
    }

    /// Returns whether a token was handed out in an earlier generation and not in this one.
    func isOlder(_ token: AccessToken, than generation: Int) -> Bool {
        let generations = tokens.filter { $0.token == token }.map(\.generation)
        return !generations.isEmpty && !generations.contains(generation)
    }
}
