/// One of the people who are signed in on this device side by side.
public struct Account: Sendable, Hashable, Identifiable {
    /// A name for the account on this device alone: random, and fit for the name of a store's account.
    public let id: String
    /// Who it is, as far as the server has said; for a list of accounts, before any of their sessions is read.
    public let user: User?
}
