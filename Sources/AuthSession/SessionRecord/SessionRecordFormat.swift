import APIClient
import AuthCore
import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a session, by version.
///
/// A version that was ever released stays here.
enum SessionRecordFormat {
    /// The first version; the second one is the same with a provider in it.
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
        let user: User?
        let backend: Backend
        /// Seconds since 1970; absent in records of the first releases, as the next ones are.
        let refreshBegunAt: Double?
        let signIn: String?
        let repeatedAt: Double?
        let grantedScope: String?
        /// Base64url; of tokens that are bound to a key.
        let proofKey: String?

        /// More refreshes than any session has seen.
        private static let lastGeneration = 1 << 40
        /// From 1970 to the end of the year 9999.
        private static let moments = 0.0...253_402_300_799

        struct Backend: StoredForm {
            let baseURL: String
            /// Of an app's own backend.
            let contract: String?
            let apiKey: String?
            let insecureHTTP: Bool?
            /// Of an OpenID provider.
            let provider: ProviderFormat?

            init(_ backend: SessionBackend) {
                baseURL = backend.baseURL.description
                contract = backend.contract?.rawValue
                apiKey = backend.apiKey?.unredacted
                insecureHTTP = backend.baseURL.scheme == "http" ? true : nil
                provider = backend.provider.map { ProviderFormat($0) }
            }

            func backend() throws -> SessionBackend {
                if let provider { return .openID(try provider.provider()) }
                guard let contract = contract.flatMap(SessionBackend.Contract.init) else {
                    throw SessionRecordError(.damaged)
                }
                let url = try BaseURL(baseURL, insecureHTTP: insecureHTTP == true ? .insecurelyAllowHTTP : .refuse)
                return .firstParty(baseURL: url, contract: contract, apiKey: try apiKey.map { try APIKey($0) })
            }
        }

        init(_ record: SessionRecord) {
            // What releases without providers can't read, they say that they can't.
            version = record.backend.provider == nil ? 1 : 2
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
            proofKey = record.tokens.proofKey.map { Base64URL.encode($0.unredacted) }
            backend = Backend(record.backend)
        }

        func record() throws -> SessionRecord {
            let moments = [issuedAt, expiresAt, refreshBegunAt, repeatedAt].compactMap(\.self)
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
                // Without their key, bound tokens would be shown as bearer tokens are, and refused.
                guard let key = Base64URL.decode(proofKey.utf8).map({ SecretBytes($0) }), DPoPKey(key) != nil else {
                    throw SessionRecordError(.damaged)
                }
                tokens.proofKey = key
                tokens.accessToken = tokens.accessToken.bound
            }
            return SessionRecord(
                generation: generation,
                tokens: tokens,
                user: user,
                backend: try backend.backend(),
                refreshBegunAt: refreshBegunAt.map(Date.init(timeIntervalSince1970:)),
                signIn: signIn,
                repeatedAt: repeatedAt.map(Date.init(timeIntervalSince1970:)),
                grantedScope: grantedScope.map { Scope($0) }
            )
        }
    }
}
