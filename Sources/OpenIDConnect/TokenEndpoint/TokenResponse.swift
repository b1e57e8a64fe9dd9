import AuthCore

/// What a token endpoint gave, checked for its form and not yet for who it is about.
///
/// [RFC 6749, 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1),
/// [OpenID Connect Core 1.0, 3.1.3.3](https://openid.net/specs/openid-connect-core-1_0.html#TokenResponse).
struct TokenResponse: Sendable {
    let accessToken: AccessToken
    /// Seconds; nil where the provider did not say.
    let expiresIn: Int?
    let refreshToken: RefreshToken?
    /// Nil where there is none, and where what there is has another form.
    let idToken: IDToken?
    /// Whether there is one of another form.
    let hasMalformedIDToken: Bool
    let scope: Scope?
    /// How far the provider's clock is ahead of this device's.
    let offset: ClockOffset

    /// Reads an answer of any status.
    ///
    /// - Parameters:
    ///   - answer: The answer. From outside.
    ///   - isBound: Whether a proof of possession went with the request.
    ///   - isRefresh: Whether it is the only copy of tokens that took the place of others: then what only describes them is
    ///     let go where it has a wrong form.
    ///   - secrets: What was sent, which no error may repeat.
    ///   - settings: The clock that a `Retry-After` with a date is read by.
    /// - Throws: ``TokenEndpointError``.
    init(
        _ answer: ProviderAnswer,
        isBound: Bool,
        isRefresh: Bool = false,
        hiding secrets: [String] = [],
        _ settings: ProviderSettings
    ) throws(TokenEndpointError) {
        guard answer.isSuccess else { throw TokenEndpointError(answer, hiding: secrets, settings) }
        guard let document = ProviderDocument(answer.body) else {
            throw TokenEndpointError(.unreadable, status: answer.status)
        }
        // Some say no with the status of a yes.
        if document["access_token"] == nil, let refusal = OAuthRefusal(answer, hiding: secrets) {
            throw TokenEndpointError(.refused, refusal, status: answer.status)
        }
        do {
            guard let token = try document.text("access_token") else { throw TokenEndpointError(.unsafeAnswer) }
            accessToken = isBound ? try AccessToken(token).bound : try AccessToken(token)
            // RFC 6749, 5.1: REQUIRED, compared without case; 7.1: a type that is not understood MUST NOT be used.
            // RFC 9449, 5: who asked for a bound token and is given another one does not take it.
            let type = try document.text("token_type") ?? ""
            guard ASCIIText.equalIgnoringCase(type.utf8, (isBound ? "dpop" : "bearer").utf8) else {
                throw TokenEndpointError(.unsafeAnswer)
            }
            expiresIn = try Self.described(isRefresh) { try document.seconds("expires_in") }
            refreshToken = try document.text("refresh_token").map { try RefreshToken($0) }
            let idTokenText = document["id_token"]
            idToken = idTokenText?.string.flatMap { try? IDToken($0) }
            hasMalformedIDToken = idTokenText != nil && idToken == nil
            scope = try Self.described(isRefresh) { try document.text("scope") }.map { Scope($0) }
        } catch let error as TokenEndpointError {
            throw error
        } catch let fault as ProviderDocument.MemberFault {
            throw TokenEndpointError(.unreadable, underlying: fault)
        } catch {
            throw TokenEndpointError(.unsafeAnswer, underlying: error)
        }
        offset = answer.offset
    }

    private static func described<Value>(_ isLenient: Bool, _ read: () throws -> Value?) throws -> Value? {
        do {
            return try read()
        } catch {
            guard isLenient else { throw error }
            return nil
        }
    }
}
