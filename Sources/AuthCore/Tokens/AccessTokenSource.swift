/// Who answers "which access token now?", so that an API client knows no session and no store.
///
/// Implementations are asked for every authenticated request, from any task. A cancelled caller gets
/// `CancellationError` at once; a refresh that others wait for goes on.
public protocol AccessTokenSource: Sendable {
    /// An access token to send now: the one in hand, or a new one where it has expired.
    ///
    /// - Returns: The token. Secret.
    /// - Throws: The source's own error where nobody is signed in or a refresh did not succeed; `CancellationError`.
    func accessToken() async throws -> AccessToken

    /// An access token to send after the server refused one.
    ///
    /// Where the rejected token is no longer the current one, the current one comes back without a refresh: another
    /// request got there first.
    ///
    /// - Parameter rejected: The token that the server answered with 401. Secret.
    /// - Returns: A token other than the rejected one. Secret.
    /// - Throws: As ``accessToken()``.
    func accessToken(insteadOf rejected: AccessToken) async throws -> AccessToken
}
