// SPDX-License-Identifier: Apache-2.0

import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension DesktopStage {
    static let accountEmail = "ada@example.com"
    static let accountPassword = "correct horse battery"

    /// Adds the account of the user of the app with passwords.
    func addAccount(role: AccountRole = .customer) async throws {
        try await backend.addAccount(email: Self.accountEmail, password: Self.accountPassword, name: "Ada", role: role)
    }

    /// Ends the last session at the backend, as another device may.
    func endSession() async throws {
        func last(_ kind: IssuedToken.Kind) throws -> String {
            try #require(issued.all.last { $0.kind == kind }).rawValue
        }
        let fields = ["Content-Type: application/json", "Authorization: Bearer \(try last(.accessToken))"]
        let body = #"{"refreshToken":"\#(try last(.refreshToken))"}"#
        let words = ["-sS", "--fail", "-d", body] + fields.flatMap { ["-H", $0] }
        let ended = try await Command("curl", words + ["\(address)/api/v1/auth/logout"]).run()
        try #require(ended.exitCode == 0, "\(ended.errorText)")
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
