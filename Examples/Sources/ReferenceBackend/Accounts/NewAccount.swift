// SPDX-License-Identifier: Apache-2.0

/// The reason that an account can't be added.
public enum AccountError: Error, Sendable, CustomStringConvertible {
    /// The address is empty, too long or has no `@`.
    case invalidEmail
    /// The password is empty or too long.
    case invalidPassword
    /// The account exists and has this role, which never changes.
    case otherRole(AccountRole)

    /// The reason as one sentence.
    public var description: String {
        switch self {
        case .invalidEmail: "That is not an e-mail address."
        case .invalidPassword: "A password has 1 to \(PasswordChecker.longestPassword) bytes."
        case .otherRole(let role): "This account is registered as a \(role.rawValue), and a role never changes."
        }
    }
}

/// An account about to be added.
struct NewAccount: Sendable {
    let email: String
    let password: String
    let name: String?
    let role: AccountRole?
    /// The role that an existing account must have; nil for any.
    var expectedRole: AccountRole?

    /// Adds the account and returns its id.
    func add(to accounts: AccountStore, passwords: PasswordChecker) async throws -> String {
        let address = AccountStore.normalized(email)
        guard (3...320).contains(address.utf8.count), address.contains("@") else { throw AccountError.invalidEmail }
        guard (1...PasswordChecker.longestPassword).contains(password.utf8.count) else {
            throw AccountError.invalidPassword
        }
        let hash = try await passwords.hash(password)
        return try await accounts.setPassword(email: address, hash: hash, for: self).id
    }
}
