import APIClient
import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a session, by version.
///
/// A version that was ever released stays here.
enum SessionRecordFormat {
    /// What every version begins with.
    struct Header: Codable {
        let version: Int
    }

    /// The first version.
    struct Version1: Codable {
        let version: Int
        let generation: Int
        let accessToken: String
        let refreshToken: String?
        let idToken: String?
        let scope: String?
        /// Seconds since 1970.
        let issuedAt: Double?
        let expiresAt: Double?
        let user: User?
        let backend: Backend
        /// Seconds since 1970; absent in records of the first releases, as the next ones are.
        let refreshBegunAt: Double?
        let signIn: String?
        let repeatedAt: Double?
        let grantedScope: String?

        /// More refreshes than any session has seen.
        private static let lastGeneration = 1 << 40
        /// From 1970 to the end of the year 9999.
        private static let moments = 0.0...253_402_300_799

        struct Backend: Codable {
            let baseURL: String
            let contract: String
            let apiKey: String?
            let insecureHTTP: Bool?
        }

        init(_ record: SessionRecord) {
            version = 1
            generation = record.generation
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
            grantedScope = record.grantedScope?.description
            let url = record.backend.baseURL
            backend = Backend(
                baseURL: url.description,
                contract: record.backend.contract.rawValue,
                apiKey: record.backend.apiKey?.unredacted,
                insecureHTTP: url.scheme == "http" ? true : nil
            )
        }

        func record() throws -> SessionRecord {
            guard let contract = SessionBackend.Contract(rawValue: backend.contract) else {
                throw SessionRecordError(.damaged)
            }
            let moments = [issuedAt, expiresAt, refreshBegunAt, repeatedAt].compactMap(\.self)
            guard (0...Self.lastGeneration).contains(generation), moments.allSatisfy(Self.moments.contains) else {
                throw SessionRecordError(.damaged)
            }
            let url = try BaseURL(
                backend.baseURL,
                insecureHTTP: backend.insecureHTTP == true ? .insecurelyAllowHTTP : .refuse
            )
            let tokens = TokenSet(
                accessToken: try AccessToken(accessToken),
                lifetime: TokenLifetime(
                    issuedAt: issuedAt.map(Date.init(timeIntervalSince1970:)),
                    expiresAt: expiresAt.map(Date.init(timeIntervalSince1970:))
                ),
                refreshToken: try refreshToken.map { try RefreshToken($0) },
                idToken: try idToken.map { try IDToken($0) },
                scope: scope.map { Scope($0) }
            )
            return SessionRecord(
                generation: generation,
                tokens: tokens,
                user: user,
                backend: .firstParty(
                    baseURL: url,
                    contract: contract,
                    apiKey: try backend.apiKey.map { try APIKey($0) }
                ),
                refreshBegunAt: refreshBegunAt.map(Date.init(timeIntervalSince1970:)),
                signIn: signIn,
                repeatedAt: repeatedAt.map(Date.init(timeIntervalSince1970:)),
                grantedScope: grantedScope.map { Scope($0) }
            )
        }
    }
}
