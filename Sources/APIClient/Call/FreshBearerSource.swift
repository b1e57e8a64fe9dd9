package import AuthCore

/// A source that says without waiting whether it has a token that needs no thought.
///
/// Most requests go out with such a token; no time limit has to be set for getting it.
package protocol FreshBearerSource: AccessTokenSource {
    /// The current access token, where it is fresh; nil where ``AuthCore/AccessTokenSource/accessToken()`` is to be asked.
    ///
    /// Secret.
    var freshBearer: BearerCredential? { get }
}
