import AuthSession
import OpenIDSession

extension SessionBackend {
    /// The authority of a session of the client itself; nil if a user signs in.
    var clientCredentials: ClientCredentialsAuthority? { authority as? ClientCredentialsAuthority }
}
