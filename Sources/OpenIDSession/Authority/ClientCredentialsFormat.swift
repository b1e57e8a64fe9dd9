import APIClient
import AuthCore
import AuthSession
import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a program's registration at a server, with the parameters of its requests for a token.
struct ClientCredentialsFormat: StoredForm {
    /// The member that identifies this kind of authority.
    private static let member = "clientCredentials"

    let provider: ProviderFormat
    let scope: String?
    let audience: String?
    let resources: [String]?

    private init(_ provider: OpenIDProvider, _ parameters: ClientCredentialsParameters) {
        self.provider = ProviderFormat(provider)
        scope = parameters.scope?.description
        audience = parameters.audience
        resources = parameters.resources.isEmpty ? nil : parameters.resources
    }

    /// Returns the description that is stored with a session.
    static func record(of provider: OpenIDProvider, _ parameters: ClientCredentialsParameters) -> AuthorityRecord {
        // The format encodes to an object whose members can't fail to encode.
        let value = try? JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(Self(provider, parameters)))
        return AuthorityRecord([
            "baseURL": .string(provider.metadata.issuer.baseURL.description),
            member: value ?? .null,
        ])
    }

    /// Decodes an authority from its description.
    ///
    /// - Throws: `SessionRecordError` (`otherBackend` if it describes another kind of authority, `damaged`).
    static func authority(_ record: AuthorityRecord) throws(SessionRecordError) -> ClientCredentialsAuthority {
        guard let value = record.members[member] else {
            throw SessionRecordError(record.isUnidentified ? .damaged : .otherBackend)
        }
        do {
            let format = try JSONDecoder().decode(Self.self, from: try JSONEncoder().encode(value))
            let parameters = ClientCredentialsParameters(
                scope: format.scope.map { Scope($0) },
                audience: format.audience,
                resources: format.resources ?? []
            )
            return ClientCredentialsAuthority(try format.provider.provider(), parameters: parameters)
        } catch {
            throw SessionRecordError(.damaged)
        }
    }
}
