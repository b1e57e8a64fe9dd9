// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import OpenIDConnect

@testable import AuthSession
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Everything that is read from a stored session, with the names that the vectors have.
struct RecordReading: Encodable {
    let generation: Int
    let accessToken: String
    let refreshToken: String?
    let idToken: String?
    let scope: String?
    let issuedAt: Double?
    let expiresAt: Double?
    let user: UserReading?
    let refreshBegunAt: Double?
    let refreshTarget: TargetReading?
    let hasMixedTargets: Bool
    let signIn: String?
    let repeatedAt: Double?
    let requestedScope: String?
    let appleUser: String?
    let refreshRefusal: RefusalReading?
    let supportsValidation: Bool?
    let lacksNewIDToken: Bool?
    let dpopKey: String?
    let resourceTokens: [ResourceTokenReading]?
    let authority: AuthorityReading

    init(_ record: SessionRecord) throws {
        generation = record.tokenGeneration
        accessToken = record.tokens.accessToken.unredacted
        refreshToken = record.tokens.refreshToken?.unredacted
        idToken = record.tokens.idToken?.unredacted
        scope = record.tokens.scope?.description
        issuedAt = record.tokens.lifetime.issuedAt?.timeIntervalSince1970
        expiresAt = record.tokens.lifetime.expiresAt?.timeIntervalSince1970
        user = record.user.map { UserReading($0) }
        refreshBegunAt = record.refreshBegunAt?.timeIntervalSince1970
        refreshTarget = record.refreshTarget.map { TargetReading($0) }
        hasMixedTargets = record.hasMixedTargets
        signIn = record.signIn
        repeatedAt = record.repeatedAt?.timeIntervalSince1970
        requestedScope = record.requestedScope?.description
        appleUser = record.appleUser
        refreshRefusal = record.refreshRefusal.map { RefusalReading($0) }
        supportsValidation = record.supportsValidation
        lacksNewIDToken = record.lacksNewIDToken
        dpopKey = record.tokens.dpopKeyBytes.map { Base64URL.encode($0.unredacted) }
        let others = record.resourceTokens.all.map { ResourceTokenReading($0) }
        resourceTokens = others.isEmpty ? nil : others
        authority = try AuthorityReading(record.authority)
    }
}

struct UserReading: Encodable {
    let id: String
    let name: String?
    let email: String?
    let phoneNumber: String?
    let role: String?
    let missing: [String]?

    init(_ user: SessionUser) {
        (id, name, email, phoneNumber, role) = (user.id, user.name, user.email, user.phoneNumber, user.role)
        missing = user.missing.isEmpty ? nil : user.missing.map(\.rawValue)
    }
}

struct TargetReading: Encodable {
    let audiences: [String]?
    let resources: [String]?
    let scope: String?

    init(_ target: TokenTarget) {
        audiences = target.audiences.isEmpty ? nil : target.audiences
        resources = target.resources.isEmpty ? nil : target.resources
        scope = target.scope?.description
    }
}

struct RefusalReading: Encodable {
    let code: String?
    let message: String?
    let since: Double

    init(_ refusal: RefreshRefusal) {
        (code, message) = (refusal.code?.rawValue, refusal.message)
        since = refusal.since.timeIntervalSince1970
    }
}

struct ResourceTokenReading: Encodable {
    let accessToken: String
    let target: TargetReading
    let scope: String?
    let issuedAt: Double?
    let expiresAt: Double?
    let isExchanged: Bool

    init(_ token: ResourceToken) {
        accessToken = token.accessToken.unredacted
        target = TargetReading(token.request.target)
        scope = token.scope?.description
        issuedAt = token.lifetime.issuedAt?.timeIntervalSince1970
        expiresAt = token.lifetime.expiresAt?.timeIntervalSince1970
        isExchanged = token.request.grant == .tokenExchange
    }
}
