// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession

/// The sentence for the user about a refused sign-in or a refused change of the profile.
///
/// It exists for the server's codes whose reason concerns the user. Any other code, and its message, are for developers
/// and operators.
public enum RefusalSentence {
    private static let refusals: [APIError.Code] = [.unauthorized, .forbidden, .refused, .rateLimited]

    /// Returns the sentence for an error; nil if it is not a refusal, or its reason is not for the user.
    ///
    /// For a role conflict and a refused profile it is the server's own, which the contract promises to be for the
    /// user. It is on one line, of at most 300 characters, without control characters.
    ///
    /// - Parameters:
    ///   - error: An `AuthSessionError`, or the `APIError` of an app's own sign-in.
    ///   - role: The role of the app's users, `customer` or `driver`, for a role conflict that the server doesn't
    ///     describe; nil if it is not known.
    public static func text(for error: any Error, role: String? = nil) -> String? {
        switch error {
        case let error as AuthSessionError:
            let isLimited = (error.underlying as? APIError)?.code == .rateLimited
            switch error.code {
            case .signInRefused:
                return text(error.serverCode, error.serverMessage, error.retryAfter, isLimited, role)
            case .profileRefused where isLimited: return rateLimited(for: error.retryAfter)
            case .profileRefused where error.serverCode == .invalidProfile: return error.serverMessage
            default: return nil
            }
        case let error as APIError where refusals.contains(error.code):
            let isLimited = error.code == .rateLimited
            return text(error.serverCode, error.serverMessage, error.retryAfter, isLimited, role)
        default: return nil
        }
    }

    private static func text(
        _ code: ServerErrorCode?,
        _ message: String?,
        _ retryAfter: Duration?,
        _ isLimited: Bool,
        _ role: String?
    ) -> String? {
        switch code {
        case _ where isLimited, .rateLimited?: rateLimited(for: retryAfter)
        case .invalidCredentials?: "The e-mail address or the password is wrong."
        case .roleConflict?: message.flatMap { DisplayText.clean($0, limit: 300) } ?? roleConflict(in: role)
        default: nil
        }
    }

    /// Returns the sentence about a wait, which is rounded up, so that an attempt after it is not too early.
    private static func rateLimited(for wait: Duration?) -> String {
        let (whole, rest) = wait?.components ?? (0, 0)
        let seconds = whole + (rest > 0 ? 1 : 0)
        let time =
            switch seconds {
            case ...0: "later"
            case ...119: "in \(max(2, seconds)) seconds"
            case ...7_140: "in \((seconds + 59) / 60) minutes"
            // No server that is to be believed wants longer.
            case ...172_800: "in \((seconds + 3_599) / 3_600) hours"
            default: "later"
            }
        return "Too many attempts. Try again \(time)."
    }

    private static func roleConflict(in role: String?) -> String {
        switch role {
        case "driver"?: "This account is registered as a customer. Contact support to become a driver."
        case "customer"?: "This account is registered as a driver. Contact support to become a customer."
        default: "This account is registered with another role. Contact support to change it."
        }
    }
}
