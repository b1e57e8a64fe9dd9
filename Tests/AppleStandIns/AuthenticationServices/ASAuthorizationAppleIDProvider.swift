// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
import Synchronization

public final class ASAuthorizationAppleIDProvider: NSObject {
    public enum CredentialState: Int, Sendable {
        case revoked = 0
        case authorized = 1
        case notFound = 2
        case transferred = 3
    }

    public static let credentialRevokedNotification = Notification.Name("ASAuthorizationAppleIDCredentialRevoked")

    override public init() {}

    public func credentialState(forUserID userID: String) async throws -> CredentialState {
        try StandInAppleAccounts.state(of: userID)
    }
}

/// The Apple Accounts of this device, set by a test; the system's module has no such type.
public enum StandInAppleAccounts {
    private static let states = Mutex<[String: ASAuthorizationAppleIDProvider.CredentialState]>([:])

    /// Sets the state of an account; nil makes the question fail.
    public static func set(_ state: ASAuthorizationAppleIDProvider.CredentialState?, of user: String) {
        states.withLock { $0[user] = state }
    }

    static func state(of user: String) throws -> ASAuthorizationAppleIDProvider.CredentialState {
        guard let state = states.withLock({ $0[user] }) else { throw ASAuthorizationError(.unknown) }
        return state
    }
}
