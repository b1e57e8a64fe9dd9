// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// An OAuth error response, sanitized for display.
struct OAuthErrorResponse: Sendable, Equatable {
    let code: OAuthErrorCode
    let message: String?
    /// The new interval of the device flow, if the provider names one.
    let interval: Duration?

    /// Sanitizes an untrusted code and message; returns nil if no part of the code can be shown.
    init?(code: String, message: String?, interval: Int? = nil, sent: SentValues) {
        guard let code = DisplayText.code(code, known: OAuthErrorCode.known, sent: sent) else { return nil }
        self.code = code
        self.message = message.flatMap { DisplayText.clean($0, limit: 300, sent: sent) }
        self.interval = interval.map { .seconds($0) }
    }

    /// Reads an untrusted response of any status and content type; returns nil if it doesn't have OAuth's form.
    init?(_ response: ProviderResponse, in member: String = "error") {
        guard let document = ProviderDocument(response), let code = document[member]?.string else { return nil }
        self.init(
            code: code,
            message: document["error_description"]?.string,
            interval: (try? document.seconds("interval")) ?? nil,
            sent: response.sent
        )
    }
}
