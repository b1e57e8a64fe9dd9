// SPDX-License-Identifier: Apache-2.0

#if canImport(Security) && canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import LocalAuthentication
import Security

/// The system's prompt for the user's presence, and the authentication that a prompt leaves behind.
///
/// "If the specified context has been previously authenticated, the operation will succeed without asking user for
/// authentication." (the header of `kSecUseAuthenticationContext`)
///
/// Confined to a store's worker.
final class KeychainPrompt {
    private let reason: String
    private var context = LAContext()

    /// Creates the prompt of a store.
    ///
    /// - Parameter reason: The reason that the prompt shows.
    init(reason: String) {
        self.reason = reason
    }

    /// Returns the attributes of a query for items that require the user's presence.
    ///
    /// - Parameter isAllowed: Whether the system may ask the user. If not, a query without an authentication fails with
    ///   `errSecInteractionNotAllowed`.
    /// - Returns: The attributes.
    func attributes(isAllowed: Bool) -> [CFString: Any] {
        context.localizedReason = reason
        context.interactionNotAllowed = !isAllowed
        return [kSecUseAuthenticationContext: context]
    }

    /// Forgets a prompt that failed, so that the next one is new.
    func startOver() {
        context = LAContext()
    }
}
#endif
