#if canImport(Security)
import Security

extension SecureStoreError {
    /// `errSecInDarkWake`, which not every SDK names: a Mac that woke without its screen.
    private static let inDarkWake: OSStatus = -25_320

    /// What a status of the keychain means for the caller of a store.
    ///
    /// Absence is none of these: `errSecItemNotFound` is an answer, and a status that nobody knows is never taken for it.
    ///
    /// - Parameter status: What a call returned that did not succeed.
    init(keychain status: OSStatus) {
        let code: Code =
            switch status {
            case errSecInteractionNotAllowed, Self.inDarkWake: .locked
            case errSecMissingEntitlement, errSecAuthFailed: .denied
            case errSecNotAvailable: .noProvider
            case errSecUserCanceled: .promptDismissed
            case errSecDiskFull: .full
            case errSecDecode: .damaged
            default: .failed
            }
        self.init(code, detail: "OSStatus \(status)")
    }
}
#endif
