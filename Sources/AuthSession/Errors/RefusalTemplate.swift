// SPDX-License-Identifier: Apache-2.0

/// The English sentences about a refused sign-in, which a catalog translates.
///
/// `{count}` stands for a number, at least 2.
enum RefusalTemplate: String, CaseIterable, Sendable {
    case invalidCredentials = "The e-mail address or the password is wrong."
    case rateLimited = "Too many attempts. Try again later."
    case rateLimitedForSeconds = "Too many attempts. Try again in {count} seconds."
    case rateLimitedForMinutes = "Too many attempts. Try again in {count} minutes."
    case rateLimitedForHours = "Too many attempts. Try again in {count} hours."
    case roleConflict = "This account is registered with another role. Contact support to change it."
    case roleConflictInDriverApp = "This account is registered as a customer. Contact support to become a driver."
    case roleConflictInCustomerApp = "This account is registered as a driver. Contact support to become a customer."

    /// The sentence's key in a catalog.
    var key: String { "AuthSessionError.signInRefused.\(self)" }

    /// Returns the sentence about a wait.
    ///
    /// The wait is rounded up, so that an attempt after it is not too early.
    ///
    /// - Parameter wait: The wait that the server requested; nil if it requested none.
    /// - Returns: The sentence, and the number in it.
    static func rateLimited(for wait: Duration?) -> (RefusalTemplate, Int64?) {
        guard let wait, wait > .zero else { return (.rateLimited, nil) }
        let (whole, rest) = wait.components
        let seconds = whole + (rest > 0 ? 1 : 0)
        return switch seconds {
        case ...119: (.rateLimitedForSeconds, max(2, seconds))
        case ...7_140: (.rateLimitedForMinutes, (seconds + 59) / 60)
        // No server that is to be believed wants longer.
        case ...172_800: (.rateLimitedForHours, (seconds + 3_599) / 3_600)
        default: (.rateLimited, nil)
        }
    }

    /// Returns the form of the sentence for the users of an app.
    ///
    /// - Parameter role: The role of the app's users; nil if it is not known.
    /// - Returns: The sentence.
    func addressed(to role: String?) -> RefusalTemplate {
        switch (self, role) {
        case (.roleConflict, "driver"?): .roleConflictInDriverApp
        case (.roleConflict, "customer"?): .roleConflictInCustomerApp
        default: self
        }
    }
}
