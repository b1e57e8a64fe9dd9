// SPDX-License-Identifier: Apache-2.0

/// The members that an account must have, by the account's role.
struct RequiredProfile: Sendable {
    let members: [AccountRole: Set<ProfileMember>]

    /// Returns the JSON form of an account, with the required members that it lacks.
    func body(of account: Account) -> UserBody {
        let required = account.role.flatMap { members[$0] } ?? []
        let missing = ProfileMember.allCases.filter { required.contains($0) && account.value(of: $0) == nil }
        return UserBody(account, missing: missing.isEmpty ? nil : missing)
    }
}

extension Account {
    /// Returns the value of a member, or nil if the account lacks it.
    fileprivate func value(of member: ProfileMember) -> String? {
        switch member {
        case .name: name
        case .phoneNumber: phoneNumber
        }
    }
}
