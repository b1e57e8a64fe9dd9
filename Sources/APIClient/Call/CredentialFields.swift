import HTTPTypes

/// The header fields that let somebody in.
enum CredentialFields {
    /// Those that are such for everybody.
    static let known: Set<HTTPField.Name> = Set(
        [.authorization, .cookie, .proxyAuthorization]
            + ["DPoP", "X-API-Key"].compactMap { HTTPField.Name($0) }
    )

    /// Whether one of some names is among the fields.
    static func areIn(_ fields: HTTPFields, names: Set<HTTPField.Name>) -> Bool {
        fields.contains { names.contains($0.name) }
    }
}
