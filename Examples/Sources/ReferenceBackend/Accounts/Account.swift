internal import GRDB

/// A person known to the backend.
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

/// An account as the contracts show it; what is not known is left out.
struct UserBody: Encodable {
    let id: String
    let name: String?
    let email: String?
    let phoneNumber: String?
    let role: AccountRole?

    init(_ account: Account) {
        id = account.id
        name = account.name
        email = account.email
        phoneNumber = account.phoneNumber
        role = account.role
    }
}
