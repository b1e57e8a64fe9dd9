package import JWTKit

/// What an identity token of the stand-in says.
package struct StandInClaims: JWTPayload {
    /// The issuer.
    package var iss: String
    /// The person.
    package var sub: String
    /// The app.
    package var aud: String
    /// When it was issued, in seconds since 1970.
    package var iat: Int
    /// When it expires, in seconds since 1970.
    package var exp: Int
    /// The hash of the raw nonce, as the client sent it.
    package var nonce: String?
    /// The person's address.
    package var email: String?

    package init(iss: String, sub: String, aud: String, iat: Int, exp: Int, nonce: String?, email: String?) {
        self.iss = iss
        self.sub = sub
        self.aud = aud
        self.iat = iat
        self.exp = exp
        self.nonce = nonce
        self.email = email
    }

    /// Nothing: whoever receives the token judges it.
    package func verify(using algorithm: some JWTAlgorithm) {}
}
