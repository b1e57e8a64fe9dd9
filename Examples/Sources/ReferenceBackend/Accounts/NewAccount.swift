/// The reason that an account can't be added.
public enum AccountError: Error, Sendable, CustomStringConvertible {
    /// The address is empty, too long or has no `@`.
    case invalidEmail
    /// The password is empty or too long.
    case invalidPassword

    /// The reason as one sentence.
    public var description: String {
        switch self {
        case .invalidEmail: "That is not an e-mail address."
        case .invalidPassword: "A password has 1 to \(PasswordChecker.longestPassword) bytes."
        }
    }
}

/// An account about to be added.
struct NewAccount: Sendable {
    let email: String
    let password: String
    let name: String?
    let role: AccountRole?

    /// Adds the account and returns its id.
    func add(to accounts: AccountStore, passwords: PasswordChecker) async throws -> String {
        let address = AccountStore.normalized(email)
        guard (3...320).contains(address.utf8.count), address.contains("@") else { throw AccountError.invalidEmail }
        guard (1...PasswordChecker.longestPassword).contains(password.utf8.count) else {
            throw AccountError.invalidPassword
        }
        let hash = try await passwords.hash(password)
        return try await accounts.setPassword(email: address, hash: hash, name: name, role: role).id
    }
}
