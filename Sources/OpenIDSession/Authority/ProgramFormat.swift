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
    private let provider: StoredProvider
    private let clientKey: ClientKeyFormat?
    /// The source of identity tokens, which `private_key_jwt` has in place of a key.
    private let clientIdentity: IdentityTokenFormat?
    private let target: TokenTarget
    /// The grant; absent for client credentials.
    private let grant: GrantFormat?

    /// The parts of an authority that are stored.
    typealias Program = (provider: OpenIDProvider, target: TokenTarget, grant: ProgramGrant)

    init(_ provider: OpenIDProvider, _ target: TokenTarget, _ grant: ProgramGrant) {
        self.provider = StoredProvider(provider)
        var (key, identity) = (ClientKeyFormat?.none, IdentityTokenFormat?.none)
        switch provider.client.authentication {
        case .privateKeyJWT(let signer): key = ClientKeyFormat(signer)
        case .identityToken(let source): identity = IdentityTokenFormat(source)
        case .none, .basic, .post: break
        }
        (clientKey, clientIdentity) = (key, identity)
        self.target = target
        self.grant = GrantFormat(grant)
    }

    /// What tells the tokens of one client apart: those of another target are for another API or have another scope, and
    /// those of another assertion or identity token may be another program's.
    private struct Variant: Encodable {
        let target: TokenTarget
        let resources: [String]
        let grant: GrantFormat?
        let endpoint: String?
    }

    /// Returns the name of a program.
    static func id(of provider: OpenIDProvider, _ target: TokenTarget, _ grant: ProgramGrant) -> AuthorityID {
        var named = target
        named.scope = target.scope.map { Scope($0.values.sorted().joined(separator: " ")) }
        let variant = Variant(
            target: named,
            // The target may leave the API to the profile.
            resources: provider.profile.resources.sorted(),
            grant: GrantFormat(grant, withKey: false),
            endpoint: provider.id.variant
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        // The members can't fail to encode.
        let bytes = (try? encoder.encode(variant)).map { Array($0) } ?? []
        return AuthorityID(
            kind: "program",
            server: provider.id.server,
            client: provider.id.client,
            variant: Hexadecimal.encode(SecretBytes(bytes).sha256)
        )
    }

    /// Decodes a program from its record.
    ///
    /// - Throws: `SessionRecordError` (`damaged`).
    static func program(_ record: AuthorityRecord) throws(SessionRecordError) -> Program {
        do {
            let format = try JSONDecoder().decode(Self.self, from: record.details ?? Data())
            let grant = try format.grant?.grant() ?? .clientCredentials
            let provider = try format.provider.provider(for: record.resources)
            let client: OpenIDClient =
                switch (format.clientKey, format.clientIdentity) {
                case (let key?, nil): .confidential(id: provider.client.id, key: try key.key())
                case (nil, let identity?): .confidential(id: provider.client.id, identity: try identity.source())
                case (nil, nil) where format.provider.authentication != "private_key_jwt": provider.client
                default: throw SessionRecordError(.damaged)
                }
            return (provider.with(client), format.target, grant)
        } catch {
            throw SessionRecordError(.damaged)
        }
    }

    /// Decodes an authority from its record.
    ///
    /// - Throws: `SessionRecordError` (`damaged`).
    static func authority(_ record: AuthorityRecord) throws(SessionRecordError) -> ProgramAuthority {
        let program = try Self.program(record)
        return ProgramAuthority(program.provider, target: program.target, grant: program.grant)
    }
}
