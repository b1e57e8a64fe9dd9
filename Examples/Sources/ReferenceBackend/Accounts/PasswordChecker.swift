internal import NIOPosix

/// Makes and checks password hashes on threads of their own, since one takes many milliseconds of pure work.
struct PasswordChecker: Sendable {
    let cost: ScryptCost

    /// The longest password taken, in bytes; scrypt would take any, a server shouldn't.
    static let longestPassword = 1024

    /// The hash of a new password as a PHC string.
    func hash(_ password: String) async throws -> String {
        let cost = cost
        return try await NIOThreadPool.singleton.runIfActive { try PasswordHash(password: password, cost: cost).phc }
    }

    /// Whether a password fits a stored hash.
    ///
    /// - Parameters:
    ///   - password: What the person typed. Secret.
    ///   - stored: The account's hash; `nil` where there is no account, which then takes as long as a wrong password.
    /// - Returns: Whether it fits; always `false` without an account.
    /// - Throws: `CryptoKitError` where there is no memory for the work.
    func check(_ password: String, against stored: String?) async throws -> Bool {
        let cost = cost
        return try await NIOThreadPool.singleton.runIfActive {
            let known = stored.flatMap(PasswordHash.init(phc:))
            let matches = try (known ?? PasswordHash(matchingNothingAt: cost)).matches(password)
            return known != nil && matches
        }
    }
}
