// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceBackend
import SharedTestSupport

extension ShellStage {
    static let accountEmail = "ada@example.com"
    static let accountPassword = "correct horse battery"

    /// Adds the account of the user of the app with passwords.
    func addAccount(role: AccountRole = .customer) async throws {
        try await backend.addAccount(email: Self.accountEmail, password: Self.accountPassword, name: "Ada", role: role)
    }

    /// The installations that the backend has recorded, the only upper-case UUIDs in its database.
    var installations: [String] {
        get throws {
            let bytes = try Data(contentsOf: folder.url.appending(path: "backend.sqlite"))
            let pattern = /[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}/
            return String(decoding: bytes, as: UTF8.self).matches(of: pattern).map { String($0.output) }
        }
    }

    /// The installation ID in the home folder.
    var installationID: String {
        get throws {
            let file = home.appending(path: ".config/com.goumuve.business/installation-id")
            return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
        }
    }
}
