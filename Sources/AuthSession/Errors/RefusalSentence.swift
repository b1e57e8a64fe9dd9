// SPDX-License-Identifier: Apache-2.0

import APIClient

/// The sentence for the user about a refused sign-in, or about a change of the profile that has to wait.
///
/// It exists for the server's codes whose reason concerns the user. Any other code, and its message, are for developers
/// and operators.
struct RefusalSentence: Sendable, Hashable {
    private let template: RefusalTemplate
    /// The number in place of `{count}`.
    private let count: Int64?
    /// The server's own sentence, which replaces the template; cleaned.
    private let serverSentence: String?

    /// Finds the sentence for an error, or returns nil if it is not a refusal or its code has no sentence.
    ///
    /// - Parameter error: The error of a sign-in. Its message is untrusted.
    init?(_ error: any Error) {
        if let error = error as? AuthSessionError, error.explanation == nil {
            let isLimited = (error.underlying as? APIError)?.code == .rateLimited
            guard error.code == .signInRefused || error.code == .profileRefused && isLimited else { return nil }
            self.init(error.serverCode, error.serverMessage, error.retryAfter, isLimited: isLimited)
        } else if let error = error as? APIError, Self.refusals.contains(error.code) {
            let isLimited = error.code == .rateLimited
            self.init(error.serverCode, error.serverMessage, error.retryAfter, isLimited: isLimited)
        } else {
            return nil
        }
    }

    private static let refusals: [APIError.Code] = [.unauthorized, .forbidden, .refused, .rateLimited]

    private init?(_ code: ServerErrorCode?, _ message: String?, _ retryAfter: Duration?, isLimited: Bool) {
        switch code {
        case _ where isLimited, .rateLimited?:
            (template, count) = RefusalTemplate.rateLimited(for: retryAfter)
            serverSentence = nil
        case .invalidCredentials?: (template, count, serverSentence) = (.invalidCredentials, nil, nil)
        case .roleConflict?:
            (template, count) = (.roleConflict, nil)
            // The contract: the message is written for the user and is shown as it is.
            serverSentence = message.flatMap { DisplayText.clean($0, limit: 300) }
        default: return nil
        }
    }

    /// The key of the sentence in a catalog; nil if the server wrote the sentence.
    var key: String? { serverSentence == nil ? template.key : nil }

    /// Returns the sentence.
    ///
    /// - Parameters:
    ///   - role: The role of the app's users; nil if it is not known.
    ///   - translate: The function that returns the translation of a key; nil if there is no translation.
    /// - Returns: The sentence.
    func text(role: String? = nil, _ translate: (_ key: String) -> String? = { _ in nil }) -> String {
        if let serverSentence { return serverSentence }
        let template = template.addressed(to: role)
        let text = translate(template.key) ?? template.rawValue
        return text.split(separator: "{count}", omittingEmptySubsequences: false)
            .joined(separator: count.map { "\($0)" } ?? "")
    }
}
