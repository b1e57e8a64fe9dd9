#if canImport(Security)
import Security

/// When the system gives out an item of the keychain.
///
/// All of them are for this device alone: an item neither goes into a backup that another device restores, nor to iCloud.
/// Two devices with one session would use its refresh token twice, and its server would take the second for a thief.
public enum KeychainAccessibility: Sendable, Hashable {
    /// From the first unlock after the device has started, also while it is locked again.
    ///
    /// What an app needs that works in the background.
    case afterFirstUnlockThisDeviceOnly
    /// While the device is unlocked, and not in the background of a locked one: a call then is `locked`.
    case whenUnlockedThisDeviceOnly
    /// While the device is unlocked, and only where it has a passcode.
    ///
    /// Without a passcode nothing can be written, and who removes the passcode removes the items: the person then is signed
    /// out.
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
