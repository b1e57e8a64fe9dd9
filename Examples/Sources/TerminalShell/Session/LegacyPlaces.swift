// SPDX-License-Identifier: Apache-2.0

import SecureStore

/// A place of older versions: its item of an account.
typealias LegacyPlace = @Sendable (_ account: String) throws -> LegacyItem

#if canImport(Security)
extension ShellStore {
    /// Returns the keychain's items of a service.
    static func legacyPlaces(of service: String) -> [LegacyPlace] {
        [{ .keychain(service: service, account: $0) }]
    }
}
#else
extension ShellStore {
    /// Returns the keyring's items of a service, as this library, libsecret and `go-keyring` name them.
    static func legacyPlaces(of service: String) -> [LegacyPlace] {
        let forms: [@Sendable (String) -> [String: String]] = [
            { ["application": "sallyport", "service": service, "account": "default", "key": $0] },
            { ["service": service, "account": $0] },
            { ["service": service, "username": $0] },
        ]
        return forms.map { form in { try .keyring(attributes: form($0)) } }
    }
}
#endif
