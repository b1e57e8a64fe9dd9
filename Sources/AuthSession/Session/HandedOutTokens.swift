// SPDX-License-Identifier: Apache-2.0

import AuthCore

/// The access tokens of the last sessions, for any API, each with its epoch.
///
/// A request that was refused with a token of an older epoch belongs to a user who is no longer signed in. It must
/// not be repeated with the current user's token.
struct HandedOutTokens {
    private static let limit = 64
    private var tokens: [(token: AccessToken, epoch: Int)] = []

    /// Notes all access tokens of a session.
    mutating func note(_ record: SessionRecord?, epoch: Int) {
        guard let record else { return }
        for token in record.resourceTokens.all { note(token.accessToken, epoch: epoch) }
        note(record.tokens.accessToken, epoch: epoch)
    }

    /// Notes an access token as the newest.
    mutating func note(_ token: AccessToken, epoch: Int) {
        tokens.removeAll { $0.epoch == epoch && $0.token == token }
        tokens.append((token, epoch))
        if tokens.count > Self.limit { tokens.removeFirst() }
    }

    /// Returns whether a token was handed out in an earlier epoch and not in this one.
    func isOlder(_ token: AccessToken, than epoch: Int) -> Bool {
        let epochs = tokens.filter { $0.token == token }.map(\.epoch)
        return !epochs.isEmpty && !epochs.contains(epoch)
    }
}
