// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

/// The header fields that carry credentials.
package enum SensitiveHeaderFields {
    /// The fields that carry credentials for every server.
    package static let known: Set<HTTPField.Name> = Set(
        [.authorization, .cookie, .proxyAuthorization]
            + [.dpop, .apiKey]
    )

    /// Whether the fields contain one of the names.
    static func areIn(_ fields: HTTPFields, names: Set<HTTPField.Name>) -> Bool {
        fields.contains { names.contains($0.name) }
    }
}

extension HTTPField.Name {
    /// The field of an API key; the fallback is never used, because the name is valid.
    static let apiKey = HTTPField.Name("X-API-Key") ?? .authorization
}
