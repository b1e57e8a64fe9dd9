// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import OpenIDConnect

@testable import AuthSession
@testable import OpenIDSession

/// Everything that is read from a stored description of an authority, with the names that the vectors have.
struct AuthorityReading: Encodable {
    // Of an app's own backend.
    private(set) var contract: String?
    private(set) var baseURL: String?
    private(set) var apiKey: String?
    // Of a provider and a program.
    private(set) var client: ClientReading?
    // Of a program.
    private(set) var grant: String?
    private(set) var target: TargetReading?
    private(set) var identityFile: String?
    private(set) var identityName: String?
    private(set) var assertion: AssertionReading?

    init(_ record: AuthorityRecord) throws {
        if record.members["contract"] != nil {
            let format = try FirstPartyFormat(record)
            (contract, baseURL) = (format.contract.rawValue, format.baseURL.description)
            apiKey = format.apiKey?.unredacted
        } else if record.members["provider"] != nil {
            client = ClientReading(try ProviderFormat.provider(record))
        } else {
            let program = try ProgramFormat.program(record)
            client = ClientReading(program.provider)
            target = TargetReading(program.target)
            read(program.grant)
        }
    }

    private mutating func read(_ grant: ProgramGrant) {
        switch grant {
        case .clientCredentials:
            self.grant = "clientCredentials"
        case .jwtBearer(.signed(let claims, by: let key)):
            (self.grant, assertion) = ("jwtBearer", AssertionReading(claims, key))
        case .jwtBearer(.issued(let source)):
            (self.grant, identityFile, identityName) = ("jwtBearer", source.path, source.name)
        case .tokenExchange(let source):
            (self.grant, identityFile, identityName) = ("tokenExchange", source.path, source.name)
        }
    }

    /// Returns a description that is written from the values that were read.
    static func rewritten(_ record: AuthorityRecord) throws -> AuthorityRecord {
        if record.members["contract"] != nil { return try FirstPartyFormat(record).record }
        if record.members["provider"] != nil { return ProviderFormat.record(of: try ProviderFormat.provider(record)) }
        let program = try ProgramFormat.program(record)
        return ProgramFormat.record(of: program.provider, program.target, program.grant)
    }
}

struct ClientReading: Encodable {
    let issuer: String
    let tokenEndpoint: String
    let clientID: String
    let authentication: String
    private(set) var secret: String?
    private(set) var privateKey: String?
    private(set) var keyID: String?
    private(set) var identityFile: String?
    private(set) var identityName: String?
    let clockSkew: Double
    let graceWindow: Double?
    let policy: String
    let algorithms: [String]
    let isPlainOAuth: Bool
    let certificateBoundTokens: Bool
    let profile: String
    let userEndpoint: String?

    init(_ provider: OpenIDProvider) {
        issuer = provider.metadata.issuer.identifier
        tokenEndpoint = provider.metadata.tokenEndpoint.description
        clientID = provider.client.id
        authentication = provider.client.authentication.name
        clockSkew = provider.settings.clockSkew.timeInterval
        graceWindow = provider.settings.refreshGraceWindow?.timeInterval
        policy = provider.settings.policy.name
        algorithms = provider.settings.signatureAlgorithms.map(\.description)
        isPlainOAuth = !provider.metadata.issuesIDTokens
        certificateBoundTokens = provider.settings.certificateBoundTokens
        profile = provider.metadata.issuer.profile.name
        userEndpoint = provider.userEndpoint?.url.description
        switch provider.client.authentication {
        case .none, .tls: break
        case .basic(let secret), .post(let secret): self.secret = secret.unredacted
        case .privateKeyJWT(let key): (privateKey, keyID) = (key.text, key.keyID)
        case .identityToken(let source): (identityFile, identityName) = (source.path, source.name)
        }
    }
}

struct AssertionReading: Encodable {
    let issuer: String
    let subject: String?
    let audience: String?
    let lifetime: Double
    let privateKey: String?

    init(_ claims: AssertionClaims, _ key: ClientAssertionKey) {
        (issuer, subject, audience) = (claims.issuer, claims.subject, claims.audience)
        lifetime = claims.lifetime.timeInterval
        privateKey = key.text
    }
}

extension ClientAssertionKey {
    /// The key's PEM text; nil if the app signs.
    fileprivate var text: String? { pem.map { String(decoding: $0.unredacted, as: UTF8.self) } }
}
