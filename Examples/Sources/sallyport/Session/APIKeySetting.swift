// SPDX-License-Identifier: Apache-2.0

import AuthCore
import FoundationEssentials

/// The app's API key, from the environment because every user of the machine can read arguments.
enum APIKeySetting {
    static func read() throws -> APIKey? {
        guard let text = ProcessInfo.processInfo.environment["SALLYPORT_API_KEY"], !text.isEmpty else { return nil }
        do {
            return try APIKey(text)
        } catch {
            throw Failure(
                .wrongArguments,
                error.description,
                "Check SALLYPORT_API_KEY: an API key is printable ASCII without spaces."
            )
        }
    }
}
