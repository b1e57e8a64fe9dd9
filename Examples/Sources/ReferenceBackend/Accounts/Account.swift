// SPDX-License-Identifier: Apache-2.0

internal import GRDB

/// A user account of the backend.
struct Account: Sendable {
    let id: String
    let name: String?
    let email: String?
    let phoneNumber: String?
    let role: AccountRole?

    init(row: Row) {
        id = row["id"]
        name = row["name"]
        email = row["email"]
        phoneNumber = row["phone_number"]
        role = (row["role"] as String?).flatMap(AccountRole.init(rawValue:))
    }
}

/// The JSON form of an account in the contracts, without the members that have no value.
struct UserBody: Encodable {
    let id: String
    let name: String?
    let email: String?
    let phoneNumber: String?
    let role: AccountRole?
    /// The members that the account must have and lacks; nil if it is complete.
    let missing: [ProfileMember]?

    init(_ account: Account, missing: [ProfileMember]?) {
        id = account.id
        name = account.name
        email = account.email
        phoneNumber = account.phoneNumber
        role = account.role
        self.missing = missing
    }
}
