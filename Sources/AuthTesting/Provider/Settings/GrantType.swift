/// The grant types of a provider, as the wire names them.
enum GrantType {
    static let authorizationCode = "authorization_code"
    static let refreshToken = "refresh_token"
    static let deviceCode = "urn:ietf:params:oauth:grant-type:device_code"

    static let all: Set<String> = [authorizationCode, refreshToken, deviceCode]
}
