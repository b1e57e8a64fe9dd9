/// Whom an identity token names, once everything about it has been checked.
struct VerifiedIdentity: Sendable {
    /// What the issuer's accounts are filed under.
    let issuer: String
    /// The person, as the issuer names them.
    let subject: String
    /// The app the token was made for.
    let audience: String
    /// The person's address, in the issuer's word.
    let email: String?
}
