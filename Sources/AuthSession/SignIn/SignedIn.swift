import AuthCore

/// What a sign-in gave.
struct SignedIn: Sendable {
    let issued: IssuedTokens
    let user: User?
}
