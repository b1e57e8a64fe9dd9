// SPDX-License-Identifier: Apache-2.0

import AuthCore
import AuthSession

/// The conversion of received text to tokens, which refuses malformed text.
enum ReceivedToken {
    static func access(_ text: String) throws(AuthSessionError) -> AccessToken {
        do { return try AccessToken(text) } catch { throw AuthSessionError(.invalidResponse, underlying: error) }
    }

    static func refresh(_ text: String) throws(AuthSessionError) -> RefreshToken {
        do { return try RefreshToken(text) } catch { throw AuthSessionError(.invalidResponse, underlying: error) }
    }
}

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

extension KeyedDecodingContainer {
    /// Returns a member of the requested type; nil if it is absent, null, or of another type.
    ///
    /// Use this for descriptive members: a malformed one must not cost a user the session.
    func readable<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)) ?? nil
    }
}
