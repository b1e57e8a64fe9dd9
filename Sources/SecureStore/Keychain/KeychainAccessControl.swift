// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import Security

/// The proof of the user's presence that the system requires before it returns a keychain item.
///
/// A call whose ``InteractionPolicy`` allows no prompt throws `locked`, so a session with such a store starts as locked.
/// The app asks the user at a moment of its own, and then reads the session:
///
///     try await store.probe(interaction: .allowed(until: .now + .seconds(60)))
///     await session.restore()
///
/// The system asks once for each store object: the later calls of this process, such as those of a refresh, use the
/// same authentication. A process that works in the background without the user can't use the store.
///
/// tvOS and watchOS show no such prompt.
public struct KeychainAccessControl: Sendable, Hashable {
    /// The kinds of proof.
    public enum Requirement: Sendable, Hashable {
        /// Biometry, or else the device's passcode.
        case userPresence
        /// Biometry, with whatever fingers or faces are enrolled at the time.
        case biometryAny
        /// Biometry, with the fingers or faces that were enrolled when the item was written.
        ///
        /// If another one is enrolled, the item can't be read any more: sign the user out, and in again. How the system
        /// reports such an item has not been checked on a device.
        case biometryCurrentSet
        /// The device's passcode.
        case devicePasscode
    }

    /// The proof that the system requires.
    public let requirement: Requirement
    /// The reason that the prompt shows to the user, in the app's language.
    public let reason: String

    /// Describes a proof.
    ///
    /// - Parameters:
    ///   - requirement: The proof that the system requires.
    ///   - reason: The reason that the prompt shows to the user, in the app's language.
    public init(_ requirement: Requirement, reason: String) {
        self.requirement = requirement
        self.reason = reason
    }

    /// Returns the value of `kSecAttrAccessControl`, which takes the place of `kSecAttrAccessible`.
    ///
    /// - Parameter accessibility: The condition that holds beside the proof.
    /// - Returns: The value.
    /// - Throws: ``SecureStoreError`` (`failed` if this device has no such proof).
    func attribute(with accessibility: KeychainAccessibility) throws(SecureStoreError) -> SecAccessControl {
        guard let control = SecAccessControlCreateWithFlags(nil, accessibility.attribute, flags, nil) else {
            throw SecureStoreError(.failed, detail: "SecAccessControlCreateWithFlags")
        }
        return control
    }

    private var flags: SecAccessControlCreateFlags {
        switch requirement {
        case .userPresence: .userPresence
        case .biometryAny: .biometryAny
        case .biometryCurrentSet: .biometryCurrentSet
        case .devicePasscode: .devicePasscode
        }
    }
}
#endif
