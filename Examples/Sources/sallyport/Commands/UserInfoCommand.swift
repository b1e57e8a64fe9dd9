// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import AuthSession
import OpenIDConnect
import OpenIDSession

/// `sallyport userinfo`: prints the provider's claims about the user.
struct UserInfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "userinfo",
        abstract: "Print the provider's claims about the user, as JSON.",
        usage: "sallyport userinfo [options]",
        examples: [
            Example("Print the claims", "userinfo"),
            Example("Print the user's identifier", "userinfo | jq -r .sub"),
        ]
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        let session = try await global.storedProviderSession()
        let info = try await session.userInfo()
        try await session.finish()
        try JSONOutput.print(info.claims)
    }
}
