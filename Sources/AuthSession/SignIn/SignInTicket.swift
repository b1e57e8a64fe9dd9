/// A sign-in in progress.
///
/// It belongs to the session that created it.
public struct SignInTicket: Sendable {
    let signInGeneration: Int
    let isRemembered: Bool
    let found: Replaced
}
