import APIClient
import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Contract A: one long-lived session token, exchanged for a new one by showing it.
struct SessionTokenAuthority: SessionAuthority {
    let backend: FirstPartyClient

    var refreshWindow: RefreshWindow { .longLivedToken }

    /// The old token is good until its own end.
    var usesTokenUp: Bool { false }

    /// For as long as anybody could wait: the same token is exchanged as often as it is shown.
    var graceWindow: Duration? { .seconds(3_600) }

    /// Nothing is used up by it, and it may leave at any time.
    func refresh(
        _ tokens: TokenSet,
        of user: User?,
        leavingWhile isInTime: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        let start = backend.clock.moment()
        do {
            let answer: (value: TokenAnswer, offset: ClockOffset) =
                try await backend.answer("/api/auth/refresh", bearer: tokens.accessToken)
            return .refreshed(try Self.issued(answer.value.token, requestedAt: start, offset: answer.offset))
        } catch {
            return RefreshOutcome(firstPartyFailure: error)
        }
    }

    func validate(_ tokens: TokenSet, of user: User?) async throws -> User? {
        let answer: UserAnswer = try await backend.call("/api/auth/validate", bearer: tokens.accessToken)
        return answer.user.user
    }

    /// The contract has no call for it.
    func signOut(_ tokens: TokenSet) async throws -> Bool { false }

    /// Signs in with what Apple gave, and the raw nonce that Apple was given the hash of.
    func signIn(with credential: AppleCredential, nonce: Nonce) async throws -> SignedIn {
        let start = backend.clock.moment()
        let answer: (value: SignInAnswer, offset: ClockOffset) = try await backend.answer(
            "/api/auth/apple",
            json: SignInBody(
                identity_token: credential.identityToken.unredacted,
                nonce: nonce.unredacted,
                userIdentifier: credential.userIdentifier,
                email: credential.email,
                name: credential.name
            ),
            hiding: [credential.identityToken.unredacted, nonce.unredacted]
        )
        return SignedIn(
            issued: try Self.issued(answer.value.token, requestedAt: start, offset: answer.offset),
            user: answer.value.user
        )
    }

    /// The token says itself how long it lives.
    private static func issued(
        _ text: String,
        requestedAt start: Moment,
        offset: ClockOffset
    ) throws(AuthSessionError) -> IssuedTokens {
        let token = try ReceivedToken.access(text)
        // Not a JWT, or one without dates: then it is renewed only when the server refuses it.
        let lifetime = (try? UnverifiedJWT(text).claims)
            .map { TokenLifetime(claims: $0, from: start.date, offset: offset) }
        return IssuedTokens(
            tokens: TokenSet(
                accessToken: token,
                lifetime: lifetime ?? TokenLifetime(expiresIn: nil, from: start.date)
            ),
            requestedAt: start
        )
    }

    private struct SignInBody: Encodable {
        let identity_token: String
        let nonce: String
        let userIdentifier: String?
        let email: String?
        let name: String?
    }

    private struct SignInAnswer: Decodable {
        let token: String
        /// Nil if it can't be read; the next check asks again.
        let user: User?

        private enum Member: String, CodingKey {
            case token
            case user
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Member.self)
            token = try members.decode(String.self, forKey: .token)
            user = members.readable(.user, as: ReceivedUser.self)?.user
        }
    }

    private struct TokenAnswer: Decodable {
        let token: String
    }

    private struct UserAnswer: Decodable {
        let user: ReceivedUser
    }
}
