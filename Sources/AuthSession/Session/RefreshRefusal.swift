// SPDX-License-Identifier: Apache-2.0

public import APIClient

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A server's refusal to refresh a session, without a word on whether the session is over.
///
/// The session stays, and its access token works until it expires. If the refusals go on, only another sign-in helps.
public struct RefreshRefusal: Sendable, Hashable, Codable {
    /// The server's error code, if it sent one.
    public let code: ServerErrorCode?
    /// The server's message, if it sent one; sanitized and limited in length.
    ///
    /// Untrusted.
    public let message: String?
    /// The time of the first of these refusals, by this device's clock.
    public let since: Date

    /// Returns the refusal that an error reports; nil if it reports none, or says that the app is misconfigured.
    init?(_ error: AuthSessionError, since: Date) {
        guard error.code == .refreshRefused else { return nil }
        (code, message) = (error.serverCode, error.serverMessage)
        self.since = since
    }
}
