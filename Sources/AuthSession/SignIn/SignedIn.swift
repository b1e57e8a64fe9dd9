import AuthCore

/// What a sign-in gave.
struct SignedIn: Sendable {
    let issued: IssuedTokens
    var user: User?
}
