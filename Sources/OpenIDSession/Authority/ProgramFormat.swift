// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a program's registration at a server, with the target and the grant of its requests.
struct ProgramFormat: StoredForm {
    /// The member that identifies this kind of authority.
    private static let member = "program"
    /// The member of the first form, which knew client credentials alone.
    private static let firstMember = "clientCredentials"

    private let provider: ProviderFormat
    private let scope: String?
    /// The only name of the API; absent if there is none, or several.
    private let audience: String?
    /// The names of several APIs.
    private let audiences: [String]?
    private let resources: [String]?
    /// The grant; absent for client credentials.
    private let grant: GrantFormat?

    /// The parts of an authority that are stored.
    typealias Program = (provider: OpenIDProvider, target: TokenTarget, grant: ProgramGrant)

    private init(_ provider: OpenIDProvider, _ target: TokenTarget, _ grant: ProgramGrant) {
        self.provider = ProviderFormat(provider)
        scope = target.scope?.description
        audience = target.audiences.count == 1 ? target.audiences[0] : nil
        audiences = target.audiences.count > 1 ? target.audiences : nil
        resources = target.resources.isEmpty ? nil : target.resources
        self.grant = GrantFormat(grant)
    }

    /// Returns the description that is stored with a session.
    static func record(
        of provider: OpenIDProvider,
        _ target: TokenTarget,
        _ grant: ProgramGrant
    ) -> AuthorityRecord {
        let format = Self(provider, target, grant)
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
            let target = TokenTarget(
                audiences: format.audiences ?? format.audience.map { [$0] } ?? [],
                resources: format.resources ?? [],
                scope: format.scope.map { Scope($0) }
            )
            return (try format.provider.provider(), target, try format.grant?.grant() ?? .clientCredentials)
        } catch {
            throw SessionRecordError(.damaged)
        }
    }

    /// Decodes an authority from its description.
    ///
    /// - Throws: `SessionRecordError` (`otherBackend` if it describes another kind of authority, `damaged`).
    static func authority(_ record: AuthorityRecord) throws(SessionRecordError) -> ProgramAuthority {
        let program = try Self.program(record)
        return ProgramAuthority(program.provider, target: program.target, grant: program.grant)
    }
}
