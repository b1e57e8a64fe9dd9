import HTTPTypes

/// The header fields that carry credentials.
enum SensitiveHeaderFields {
    /// The fields that carry credentials for every server.
    static let known: Set<HTTPField.Name> = Set(
        [.authorization, .cookie, .proxyAuthorization]
            + ["DPoP", "X-API-Key"].compactMap { HTTPField.Name($0) }
    )

    /// Whether the fields contain one of the names.
    static func areIn(_ fields: HTTPFields, names: Set<HTTPField.Name>) -> Bool {
        fields.contains { names.contains($0.name) }
    }
}
