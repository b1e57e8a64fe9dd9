import AuthCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a person is shown who signs in on another device than this one.
///
/// [RFC 8628, 3.2](https://www.rfc-editor.org/rfc/rfc8628#section-3.2).
public struct DeviceAuthorization: Sendable {
    /// What the person types at the other device.
    ///
    /// Short, and good for a few minutes: to be shown, and not for logs.
    ///
    /// Wire: `user_code`.
    public let userCode: String
    /// Where the person types it: https, checked.
    ///
    /// Wire: `verification_uri`.
    public let verificationURL: String
    /// The same with the code in it, for a QR code; nil where the provider gives none.
    ///
    /// Wire: `verification_uri_complete`.
    public let completeVerificationURL: String?
    /// The lifetime of the code; a day at most.
    ///
    /// Wire: `expires_in`.
    public let lifetime: Duration
    /// The pause between two questions; a minute at most.
    ///
    /// Wire: `interval`.
    let interval: Duration
    /// Secret.
    ///
    /// Wire: `device_code`.
    let deviceCode: String

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - answer: The answer, a success. From outside.
    ///   - issuer: Whose it is.
    /// - Throws: ``DeviceAuthorizationError`` (`unreadable`, `unsafeAnswer`).
    init(_ answer: ProviderAnswer, of issuer: Issuer) throws(DeviceAuthorizationError) {
        do {
            guard let document = ProviderDocument(answer.body), let deviceCode = try document.text("device_code"),
                let userCode = try document.text("user_code"),
                // Google writes it so, and wrote it before there was an RFC.
                let url = try document.text("verification_uri") ?? document.text("verification_url"),
                // REQUIRED.
                let lifetime = try document.seconds("expires_in")
            else { throw DeviceAuthorizationError(.unreadable) }
            let shortest = try document.seconds("interval") ?? Self.usualInterval
            self.deviceCode = deviceCode
            self.lifetime = .seconds(min(lifetime, Self.longestLifetime))
            interval = .seconds(min(max(1, shortest), Self.longestInterval))
            // It is shown as it stands, at a terminal too: letters that can be typed, and no more of them than are read.
            guard (1...64).contains(userCode.utf8.count), userCode.utf8.allSatisfy(TokenCharacters.isVisible),
                (1...8_192).contains(deviceCode.utf8.count)
            else { throw DeviceAuthorizationError(.unsafeAnswer) }
            self.userCode = userCode
            verificationURL = try Self.checked(url, issuer)
            completeVerificationURL = try document.text("verification_uri_complete").map {
                try Self.checked($0, issuer)
            }
        } catch let error as DeviceAuthorizationError {
            throw error
        } catch {
            throw DeviceAuthorizationError(.unreadable)
        }
    }

    /// RFC 8628, 3.2: 5 where the provider says nothing.
    private static let usualInterval = 5
    /// The user waits, too.
    private static let longestInterval = 60
    private static let longestLifetime = 86_400

    /// The person is sent there: an address of the web, without what a terminal or a reader could be misled by.
    private static func checked(_ text: String, _ issuer: Issuer) throws(DeviceAuthorizationError) -> String {
        guard text.utf8.allSatisfy(TokenCharacters.isVisibleWithoutSpace), (try? EndpointURL(text, of: issuer)) != nil
        else { throw DeviceAuthorizationError(.unsafeAnswer) }
        return text
    }
}

/// The device code is good for tokens: printed or dumped, it does not show.
extension DeviceAuthorization: CustomStringConvertible, CustomReflectable {
    /// Always the same.
    public var description: String { "DeviceAuthorization(<redacted>)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
