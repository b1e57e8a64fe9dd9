// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import AuthSession

/// `sallyport refresh`: refreshes the tokens now.
struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Refresh the access token now.",
        usage: "sallyport refresh [options]",
        examples: [
            Example("Refresh now", "refresh"),
            Example("Refresh another session", "refresh --profile work"),
        ]
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let session = try await global.storedSession()
        try await session.refresh()
        try await session.finish()
        let end = await session.accessTokenLifetime?.expiresAt.map { " until \(RelativeTime.moment($0))" } ?? ""
        Terminal.note("Refreshed; the access token is good\(end).")
    }
}
