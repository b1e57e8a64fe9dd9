import APIClient
import AuthCore
import AuthSession
import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a program's registration at a server, with the parameters and the grant of its requests.
struct ProgramFormat: StoredForm {
    /// The member that identifies this kind of authority.
    private static let member = "program"
    /// The member of the first form, which knew client credentials alone.
    private static let firstMember = "clientCredentials"

    private let provider: ProviderFormat
    private let scope: String?
    private let audience: String?
    private let resources: [String]?
    /// The grant; absent for client credentials.
    private let grant: GrantFormat?

    /// The parts of an authority that are stored.
    typealias Program = (provider: OpenIDProvider, parameters: ClientCredentialsParameters, grant: ProgramGrant)

    private init(_ provider: OpenIDProvider, _ parameters: ClientCredentialsParameters, _ grant: ProgramGrant) {
        self.provider = ProviderFormat(provider)
        scope = parameters.scope?.description
        audience = parameters.audience
        resources = parameters.resources.isEmpty ? nil : parameters.resources
        self.grant = GrantFormat(grant)
    }

    /// Returns the description that is stored with a session.
    static func record(
        of provider: OpenIDProvider,
        _ parameters: ClientCredentialsParameters,
        _ grant: ProgramGrant
    ) -> AuthorityRecord {
        let format = Self(provider, parameters, grant)
        // The format encodes to an object whose members can't fail to encode.
        let value = try? JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(format))
        return AuthorityRecord([
            "baseURL": .string(provider.metadata.issuer.baseURL.description),
            member: value ?? .null,
        ])
    }

    /// Decodes a program from its description.
    ///
    /// - Throws: `SessionRecordError` (`otherBackend` if it describes another kind of authority, `damaged`).
    static func program(_ record: AuthorityRecord) throws(SessionRecordError) -> Program {
        guard let value = record.members[member] ?? record.members[firstMember] else {
            throw SessionRecordError(record.isUnidentified ? .damaged : .otherBackend)
        }
        do {
            let format = try JSONDecoder().decode(Self.self, from: try JSONEncoder().encode(value))
            let parameters = ClientCredentialsParameters(
                scope: format.scope.map { Scope($0) },
                audience: format.audience,
                resources: format.resources ?? []
            )
            return (try format.provider.provider(), parameters, try format.grant?.grant() ?? .clientCredentials)
        } catch {
            throw SessionRecordError(.damaged)
        }
    }

    /// Decodes an authority from its description.
    ///
    /// - Throws: `SessionRecordError` (`otherBackend` if it describes another kind of authority, `damaged`).
    static func authority(_ record: AuthorityRecord) throws(SessionRecordError) -> ProgramAuthority {
        let program = try Self.program(record)
        return ProgramAuthority(program.provider, parameters: program.parameters, grant: program.grant)
    }
}
