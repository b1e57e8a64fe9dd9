// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A code and a URL that let the user sign in on another device (RFC 8628, 3.2).
public struct DeviceAuthorization: Sendable {
    /// The code that the user types on the other device; short-lived: show it, but don't log it.
    public let userCode: String
    /// The URL at which the user types the code: https, and http only if the issuer itself is an http URL.
    public let verificationURI: String
    /// The URL with the code in it, for a QR code; nil if the provider omits it.
    public let verificationURIComplete: String?
    /// The lifetime of the codes; at most a day.
    public let lifetime: Duration
    /// The interval between two polls; at most a minute.
    let interval: Duration
    /// The device code; secret.
    let deviceCode: String
    var resources: [String] = []

    /// Reads an untrusted response with a success status.
    init(_ response: ProviderResponse, of issuer: Issuer) throws(OpenIDError) {
        do {
            guard let document = ProviderDocument(response), let deviceCode = try document.text("device_code"),
                let userCode = try document.text("user_code"),
                // Google uses this name, and did before RFC 8628.
                let url = try document.text("verification_uri") ?? document.text("verification_url"),
                // REQUIRED.
                let lifetime = try document.seconds("expires_in")
            else { throw OpenIDError(.deviceAuthorization, .malformedResponse) }
            let shortest = try document.seconds("interval") ?? Self.usualInterval
            self.deviceCode = deviceCode
            self.lifetime = .seconds(min(lifetime, Self.longestLifetime))
            interval = min(max(.seconds(1), .seconds(shortest)), Self.longestPause)
            // The code is shown as it is, in a terminal, too. It must consist of visible characters and be short enough
            // to type.
            guard (1...64).contains(userCode.utf8.count), userCode.utf8.allSatisfy(TokenCharacters.isVisible),
                (1...8_192).contains(deviceCode.utf8.count)
            else { throw OpenIDError(.deviceAuthorization, .invalidResponse) }
            self.userCode = userCode
            verificationURI = try Self.checked(url, issuer)
            verificationURIComplete = try document.optionalText("verification_uri_complete").map {
                try Self.checked($0, issuer)
            }
        } catch let error as OpenIDError {
            throw error
        } catch {
            throw OpenIDError(.deviceAuthorization, .malformedResponse)
        }
    }

    /// The interval if the provider names none: 5 seconds (RFC 8628, 3.2).
    private static let usualInterval = 5
    /// The longest interval, so that the user doesn't wait too long after typing the code.
    static let longestPause = Duration.seconds(60)
    private static let longestLifetime = 86_400

    /// Returns the URL if the user may be sent there: an address that can't mislead a terminal or a reader.
    private static func checked(_ text: String, _ issuer: Issuer) throws(OpenIDError) -> String {
        guard text.utf8.allSatisfy(TokenCharacters.isVisibleWithoutSpace), (try? EndpointURL(text, of: issuer)) != nil
        else { throw OpenIDError(.deviceAuthorization, .invalidResponse) }
        return text
    }
}

/// Hides the device code, which can be exchanged for tokens, if a device authorization is printed or dumped.
extension DeviceAuthorization: Redacted {}
