// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import ReferenceBackend

/// An app and the role of its users, written `ID=role`.
struct ClientArgument: ExpressibleByArgument {
    let id: String
    let role: AccountRole

    init?(argument: String) {
        let sides = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard sides.count == 2, let role = AccountRole(rawValue: sides[1]) else { return nil }
        id = sides[0]
        self.role = role
    }
}
