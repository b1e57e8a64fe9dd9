// SPDX-License-Identifier: Apache-2.0

internal import NIOPosix

/// The creation and check of password hashes on a thread pool, because one takes many milliseconds of CPU time.
struct PasswordChecker: Sendable {
    let cost: ScryptCost

    /// The maximum length of a password in bytes, so that a client can't make the server hash a huge one.
    static let longestPassword = 1024

    /// Returns the hash of a new password as a PHC string.
    func hash(_ password: String) async throws -> String {
        let cost = cost
        return try await NIOThreadPool.singleton.runIfActive { try PasswordHash(password: password, cost: cost).phc }
    }

    /// Returns whether a password matches a stored hash.
    ///
    /// - Parameters:
    ///   - password: The password that the user typed. Secret.
    ///   - stored: The account's hash. Nil if there is no account; the check then takes as long as a wrong password.
    /// - Returns: Whether the password matches; always false without an account.
    /// - Throws: `CryptoKitError` if there is not enough memory.
    func check(_ password: String, against stored: String?) async throws -> Bool {
        let cost = cost
        return try await NIOThreadPool.singleton.runIfActive {
            let known = stored.flatMap(PasswordHash.init(phc:))
            let matches = try (known ?? PasswordHash(matchingNothingAt: cost)).matches(password)
            return known != nil && matches
        }
    }
}
