// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
import Security

/// The condition under which the system returns a keychain item.
///
/// Every case keeps the item on this device: another device can't restore it from a backup, and it is not synchronized
/// to iCloud. Two devices with one session would use its refresh token twice, and the server would treat the second use
/// as a replay.
public enum KeychainAccessibility: Sendable, Hashable {
    /// The item is available from the first unlock after the device has started, even if the device is locked again.
    ///
    /// Apps that work in the background need this.
    case afterFirstUnlockThisDeviceOnly
    /// The item is available while the device is unlocked.
    ///
    /// A call while the device is locked, as in the background, throws `locked`.
    case whenUnlockedThisDeviceOnly
    /// The item is available while the device is unlocked, and only if the device has a passcode.
    ///
    /// Without a passcode nothing can be written. If the user removes the passcode, the system deletes the items and
    /// the user is signed out.
    case whenPasscodeSetThisDeviceOnly

    /// The value of `kSecAttrAccessible`.
    var attribute: CFString {
        switch self {
        case .afterFirstUnlockThisDeviceOnly: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case .whenUnlockedThisDeviceOnly: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case .whenPasscodeSetThisDeviceOnly: kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }
}
#endif
