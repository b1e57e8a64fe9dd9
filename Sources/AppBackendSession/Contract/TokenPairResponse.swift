// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The response of the contract `tokenPair` to a sign-in and to a refresh, decoded member by member.
///
/// The response to a refresh is the only copy of the new tokens. A member of a wrong type must not cost the other
/// members.
struct TokenPairResponse: Decodable, Sendable {
    let user: SessionUser?
    let accessToken: String?
    let refreshToken: String?
    let tokenType: String?
    let expiresIn: Int?
    let scope: String?

    private enum Member: String, CodingKey {
        case user
        case accessToken
        case refreshToken
        case tokenType
        case expiresIn
        case scope
    }

    /// Decodes a response.
    ///
    /// - Throws: `DecodingError` if it is not an object, or holds neither token: it then comes from another server or
    ///   from a proxy.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        user = members.readable(.user, as: ReceivedUser.self)?.user
        refreshToken = members.readable(.refreshToken)
        let token: String? = members.readable(.accessToken)
        accessToken = refreshToken == nil ? try members.decode(String.self, forKey: .accessToken) : token
        tokenType = members.readable(.tokenType)
        expiresIn = Self.seconds(members)
        scope = members.readable(.scope)
    }

    /// Returns the tokens of a sign-in.
    ///
    /// Nothing is lost if one of them is refused.
    ///
    /// - Throws: `AuthSessionError` (`invalidResponse`).
    func signedIn(requestedAt start: ClockReading) throws(AuthSessionError) -> IssuedTokens {
        // The contract promises both. Without a refresh token, the session could never be refreshed.
        guard let tokenType, let refreshToken else { throw AuthSessionError(.invalidResponse) }
        return try issued(tokenType, try ReceivedToken.refresh(refreshToken), requestedAt: start)
    }

    /// Returns the outcome of a refresh.
    ///
    /// If the token type is absent or unreadable, the contract's only type applies. The usable tokens are kept.
    func refreshed(requestedAt start: ClockReading) -> RefreshOutcome {
        let new = refreshToken.flatMap { try? ReceivedToken.refresh($0) }
        do throws(AuthSessionError) {
            return .refreshed(try issued(tokenType ?? "Bearer", new, requestedAt: start))
        } catch {
            return new.map { .rotated($0, error) } ?? .doubtful(error)
        }
    }

    private func issued(
        _ type: String,
        _ refreshToken: RefreshToken?,
        requestedAt start: ClockReading
    ) throws(AuthSessionError) -> IssuedTokens {
        // RFC 6749, 7.1: a client MUST NOT use an access token whose type it does not understand.
        guard let accessToken, ASCIIText.equalIgnoringCase(type.utf8, "bearer".utf8) else {
            throw AuthSessionError(.invalidResponse)
        }
        let tokens = TokenSet(
            accessToken: try ReceivedToken.access(accessToken),
            lifetime: TokenLifetime(expiresIn: expiresIn, from: start.date),
            refreshToken: refreshToken,
            scope: scope.map { Scope($0) }
        )
        return IssuedTokens(tokens: tokens, requestedAt: start)
    }

    /// Returns a number of seconds, which some servers send as a string.
    ///
    /// A fraction is cut off.
    private static func seconds(_ members: KeyedDecodingContainer<Member>) -> Int? {
        if let whole: Int = members.readable(.expiresIn) { return whole }
        if let number: Double = members.readable(.expiresIn) { return number.isFinite ? Int(number.bounded) : nil }
        guard let text: String = members.readable(.expiresIn), (1...18).contains(text.utf8.count),
            text.utf8.allSatisfy(ASCIIText.isDigit)
        else { return nil }
        return Int(text)
    }
}

extension Double {
    /// The value, limited to a century of seconds.
    ///
    /// No lifetime is longer.
    fileprivate var bounded: Double { Swift.min(Swift.max(self, 0), 3_155_760_000) }
}
