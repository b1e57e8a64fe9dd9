/// What an account signs in as; one account has one role for good.
public enum AccountRole: String, Sendable, Codable, CaseIterable {
    /// Books jobs.
    case customer
    /// Carries them out.
    case driver
}
