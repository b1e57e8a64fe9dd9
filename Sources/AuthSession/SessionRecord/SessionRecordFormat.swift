// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a session, by version.
///
/// A released version stays here.
enum SessionRecordFormat {
    /// The first version.
    ///
    /// The second is the same, but its authority is not an app's own backend.
    struct Version1: StoredForm {
        let version: Int
        let generation: Int
        let accessToken: String
        let refreshToken: String?
        let idToken: String?
        let scope: String?
        /// Seconds since 1970.
        let issuedAt: Double?
        let expiresAt: Double?
        let user: SessionUser?
        let backend: AuthorityRecord
        /// Seconds since 1970.
        ///
        /// Absent in records of the first releases, like the members below.
        let refreshBegunAt: Double?
        let signIn: String?
        let repeatedAt: Double?
        let grantedScope: String?
        /// Absent in earlier records, like the five members below.
        let refreshRefusal: RefreshRefusalFormat?
        let supportsValidation: Bool?
        let lacksNewIDToken: Bool?
        let refreshTarget: TokenTargetFormat?
        let hasMixedTargets: Bool?
        let resourceTokens: [ResourceTokenFormat]?
        let appleUser: String?
        /// The DPoP key in Base64url, for tokens that are bound to it.
        let proofKey: String?
        /// The APIs that the sign-in named.
        ///
        /// Absent in earlier records.
        let resources: [String]?

        /// The highest valid generation: more refreshes than any session has seen.
        private static let lastGeneration = 1 << 40
        /// The valid times, from 1970 to the end of the year 9999.
        private static let moments = 0.0...253_402_300_799

        init(_ record: SessionRecord) {
            // With version 2, releases that know only an app's own backend report an unknown version.
            version = record.authority.members["contract"] == nil ? 2 : 1
            generation = record.tokenGeneration
            accessToken = record.tokens.accessToken.unredacted
            refreshToken = record.tokens.refreshToken?.unredacted
            idToken = record.tokens.idToken?.unredacted
            scope = record.tokens.scope?.description
            issuedAt = record.tokens.lifetime.issuedAt?.timeIntervalSince1970
            expiresAt = record.tokens.lifetime.expiresAt?.timeIntervalSince1970
            user = record.user
            refreshBegunAt = record.refreshBegunAt?.timeIntervalSince1970
            signIn = record.signIn
            repeatedAt = record.repeatedAt?.timeIntervalSince1970
            grantedScope = record.requestedScope?.description
            refreshRefusal = record.refreshRefusal.map { RefreshRefusalFormat($0) }
            supportsValidation = record.supportsValidation
            lacksNewIDToken = record.lacksNewIDToken
            refreshTarget = record.refreshTarget.map { TokenTargetFormat($0) }
            hasMixedTargets = record.hasMixedTargets ? true : nil
            let others = record.resourceTokens.all.map { ResourceTokenFormat($0) }
            resourceTokens = others.isEmpty ? nil : others
            appleUser = record.appleUser
            proofKey = record.tokens.dpopKeyBytes.map { Base64URL.encode($0.unredacted) }
            resources = record.tokens.resources.isEmpty ? nil : record.tokens.resources
            backend = record.authority
        }

        func record() throws -> SessionRecord {
            let others = resourceTokens ?? []
            let moments =
                [issuedAt, expiresAt, refreshBegunAt, repeatedAt, refreshRefusal?.since].compactMap(\.self)
                + others.flatMap { [$0.issuedAt, $0.expiresAt].compactMap(\.self) }
            guard (0...Self.lastGeneration).contains(generation), moments.allSatisfy(Self.moments.contains) else {
                throw SessionRecordError(.damaged)
            }
            var tokens = TokenSet(
                accessToken: try AccessToken(accessToken),
                lifetime: TokenLifetime(
                    issuedAt: issuedAt.map(Date.init(timeIntervalSince1970:)),
                    expiresAt: expiresAt.map(Date.init(timeIntervalSince1970:))
                ),
                refreshToken: try refreshToken.map { try RefreshToken($0) },
                idToken: try idToken.map { try IDToken($0) },
                scope: scope.map { Scope($0) }
            )
            if let proofKey {
                // Without their key, bound tokens would be sent as bearer tokens and refused.
                guard let key = Base64URL.decode(proofKey.utf8).map({ SecretBytes($0) }), DPoPKey(key) != nil else {
                    throw SessionRecordError(.damaged)
                }
                tokens.dpopKeyBytes = key
                tokens.accessToken = tokens.accessToken.bound
            }
            tokens.resources = resources ?? []
            var record = SessionRecord(
                tokenGeneration: generation,
                tokens: tokens,
                user: user,
                authority: backend,
                refreshBegunAt: refreshBegunAt.map(Date.init(timeIntervalSince1970:)),
                signIn: signIn,
                repeatedAt: repeatedAt.map(Date.init(timeIntervalSince1970:)),
                requestedScope: grantedScope.map { Scope($0) },
                appleUser: appleUser
            )
            record.refreshRefusal = refreshRefusal?.refusal
            record.supportsValidation = supportsValidation
            record.lacksNewIDToken = lacksNewIDToken
            record.refreshTarget = refreshTarget?.target
            record.hasMixedTargets = hasMixedTargets ?? false
            for token in others { record.resourceTokens.keep(try token.token(isBound: proofKey != nil)) }
            return record
        }
    }
}
