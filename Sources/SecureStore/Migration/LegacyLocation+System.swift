#if canImport(Security)
extension LegacyLocation {
    /// Returns the generic passwords of the services.
    static func platform(_ services: [String]) throws -> [LegacyLocation] {
        try services.map { service in
            LegacyLocation(try StoreLocationName(service)) { LegacyKeychainItem($0, service: service, account: $1) }
        }
    }
}
#elseif Keyring && canImport(CSecretService)
extension LegacyLocation {
    /// Returns the keyring's items of the services, in each form that is known.
    static func platform(_ services: [String]) throws -> [LegacyLocation] {
        try keyring(services, .seconds(5), bus: BusAddress.fromEnvironment())
    }

    /// Returns the locations of a keyring on a given bus.
    ///
    /// - Parameters:
    ///   - services: The services' names.
    ///   - deadline: The time limit of a call.
    ///   - bus: The bus's address.
    /// - Returns: The locations, which share one connection.
    /// - Throws: ``SecureStoreError`` (`invalidName`).
    package static func keyring(_ services: [String], _ deadline: Duration, bus: String?) throws -> [LegacyLocation] {
        let calls = LegacyKeyringItem.calls(deadline, bus: bus)
        return try services.flatMap { service in
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
    static func platform(_ services: [String]) throws -> [LegacyLocation] { [] }
}
#endif
