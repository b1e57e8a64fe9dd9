// SPDX-License-Identifier: Apache-2.0

#if canImport(Security)
extension LegacyLocation {
    /// Returns the generic passwords of the services.
    static func platform(_ services: [String], _ deadline: Duration) throws -> [LegacyLocation] {
        try services.map { service in
            LegacyLocation(try StoreLocationName(service)) {
                LegacyKeychainItem($0, service: service, account: $1, deadline: deadline)
            }
        }
    }
}
#elseif Keyring && canImport(CSecretService)
extension LegacyLocation {
    /// Returns the keyring's items of the services, in each form that is known.
    static func platform(_ services: [String], _ deadline: Duration) throws -> [LegacyLocation] {
        try keyring(services, KeyringWorker(.ofProcess(), deadline: deadline))
    }

    /// Returns the locations of a keyring on a session bus that the app names, beside a ``KeyringStore`` there.
    ///
    /// - Parameters:
    ///   - services: The services' names, in the order of precedence.
    ///   - deadline: The time limit of a call, from a millisecond to a day.
    ///   - busAddress: The address, as for ``KeyringStore/init(service:account:deadline:busAddress:)``.
    /// - Returns: The locations, in the order of the search. They share one connection.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    public static func keyring(
        services: [String],
        deadline: Duration = .seconds(5),
        busAddress: String
    ) throws -> [LegacyLocation] {
        try keyring(services, KeyringWorker(.named(busAddress), deadline: deadline))
    }

    private static func keyring(_ services: [String], _ calls: KeyringWorker) throws -> [LegacyLocation] {
        try services.flatMap { service in
            try LegacyKeyringItem.Form.allCases.map { form in
                let name = try StoreLocationName(form == .own ? service : "\(service).\(form.rawValue)")
                return LegacyLocation(name) {
                    try LegacyKeyringItem($0, form.attributes(service, $1), calls: calls)
                }
            }
        }
    }
}
#else
extension LegacyLocation {
    /// Returns no locations: this build has no keyring.
    static func platform(_ services: [String], _ deadline: Duration) throws -> [LegacyLocation] { [] }
}
#endif
