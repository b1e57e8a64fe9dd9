// SPDX-License-Identifier: Apache-2.0

public import APIClient
import AuthCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A server's refusal to refresh a session, without a word on whether the session is over.
///
/// The session stays, and its access token works until it expires. If the refusals go on, only another sign-in helps.
public struct RefreshRefusal: Sendable, Hashable {
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
        self.init(code: error.serverCode, message: error.serverMessage, since: since)
    }

    init(code: ServerErrorCode?, message: String?, since: Date) {
        self.code = code
        self.message = message
        self.since = since
    }
}

/// The stored form of a refusal.
struct RefreshRefusalFormat: StoredForm {
    let code: String?
    let message: String?
    /// Seconds since 1970.
    let since: Double

    init(_ refusal: RefreshRefusal) {
        code = refusal.code?.rawValue
        message = refusal.message
        since = refusal.since.timeIntervalSince1970
    }

    var refusal: RefreshRefusal {
        RefreshRefusal(
            code: code.map { ServerErrorCode(rawValue: $0) },
            message: message,
            since: Date(timeIntervalSince1970: since)
        )
    }
}
