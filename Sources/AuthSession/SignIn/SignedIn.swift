import AuthCore

/// What a sign-in gave.
struct SignedIn: Sendable {
    let tokens: TokenSet
    let user: User?
}
