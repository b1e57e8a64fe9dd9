// SPDX-License-Identifier: Apache-2.0

/// A user in a backend's response.
///
/// A member of a wrong type is omitted, except for the ID.
struct ReceivedUser: Decodable, Sendable {
    let user: SessionUser

    private enum Member: String, CodingKey {
        case id
        case name
        case email
        case phoneNumber
        case role
        case missing
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Member.self)
        user = SessionUser(
            id: try members.decode(String.self, forKey: .id),
            name: members.readable(.name),
            email: members.readable(.email),
            phoneNumber: members.readable(.phoneNumber),
            role: members.readable(.role),
            missing: (members.readable(.missing) ?? []).compactMap(SessionUser.unlessLong)
                .compactMap(SessionUser.ProfileMember.init)
        )
    }
}
