// SPDX-License-Identifier: Apache-2.0

public import AuthCore
public import AuthSession
public import OpenIDConnect

extension SessionBackend {
    /// Returns the backend of a program that signs in with its own credentials, without a user.
    ///
    /// The credentials are the client's: a secret, a private key, or the identity token of another program.
    ///
    /// - Parameters:
    ///   - provider: The provider, with the program's registration there: a confidential client.
    ///   - target: The API that the session's own token is for, and its scope.
    /// - Returns: The backend.
    public static func clientCredentials(
        _ provider: OpenIDProvider,
        _ target: TokenTarget = TokenTarget()
    ) -> SessionBackend {
        SessionBackend(ProgramAuthority(provider, target: target))
    }

    /// Returns the backend of a program that gets its tokens for assertions, such as a Google service account.
    ///
    /// - Parameters:
    ///   - provider: The provider, with the program's registration there; `OpenIDClient.anonymous` if it needs none.
    ///   - assertion: The assertion. Secret if it is signed here.
    ///   - target: The API that the session's own token is for, and its scope.
    /// - Returns: The backend.
    ///
    /// [RFC 7523, 2.1](https://www.rfc-editor.org/rfc/rfc7523#section-2.1).
    public static func jwtBearer(
        _ provider: OpenIDProvider,
        _ assertion: JWTBearerAssertion,
        _ target: TokenTarget = TokenTarget()
    ) -> SessionBackend {
        SessionBackend(ProgramAuthority(provider, target: target, grant: .jwtBearer(assertion)))
    }

    /// Returns the backend of a program that exchanges identity tokens of another program for the server's tokens.
    ///
    /// If a server takes the identity token in place of a client secret, use `clientCredentials(_:_:)` with the client
    /// `OpenIDClient.confidential(id:identity:)` instead.
    ///
    /// - Parameters:
    ///   - provider: The provider, with the program's registration there; `OpenIDClient.anonymous` if it needs none.
    ///   - source: The source of the identity tokens.
    ///   - target: The API that the session's own token is for, and its scope.
    /// - Returns: The backend.
    ///
    /// [RFC 8693, 2](https://www.rfc-editor.org/rfc/rfc8693#section-2).
    public static func workloadIdentity(
        _ provider: OpenIDProvider,
        _ source: IdentityTokenSource,
        _ target: TokenTarget = TokenTarget()
    ) -> SessionBackend {
        SessionBackend(ProgramAuthority(provider, target: target, grant: .tokenExchange(source)))
    }

    /// The authority of a program's session; nil if a user signs in.
    public var program: ProgramAuthority? { authority as? ProgramAuthority }
}
