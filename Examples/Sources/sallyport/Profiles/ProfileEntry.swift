// SPDX-License-Identifier: Apache-2.0

/// A profile in the list of `sallyport profiles`.
struct ProfileEntry: Sendable, Encodable {
    enum State: String, Encodable {
        /// The session is kept. The server may still end it.
        case signedIn = "signed-in"
        /// The session ended without a sign-out, or the tokens of a signed-out session are still to be revoked.
        case ended
        /// The store can't be read now.
        case locked
        /// The record of the session, or of its store, can't be read.
        case damaged
    }

    private enum CodingKeys: CodingKey {
        case name
        case user
        case server
        case store
        case state
    }

    let name: String
    /// The user's name or ID, as the server gave it; nil if it is unknown or the session has no user.
    ///
    /// Untrusted.
    var user: String?
    /// The address of the provider or backend; nil if it is unknown.
    var server: String?
    /// The store, by its name in `--store`; nil if it is unknown.
    var store: String?
    var state: State

    /// Writes every member; an unknown one as `null`.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(name, forKey: .name)
        try members.encode(user, forKey: .user)
        try members.encode(server, forKey: .server)
        try members.encode(store, forKey: .store)
        try members.encode(state, forKey: .state)
    }
}
