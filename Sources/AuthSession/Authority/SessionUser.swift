// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// The signed-in user, as the server describes them.
///
/// A name is cut to 1,024 bytes; a longer text of another kind is dropped, but for the identifier. A server's long text
/// must not make the session's record too large for the store. Users are compared byte by byte: `String` takes seconds
/// for long runs of combining marks. Printing a user shows no personal data.
public struct SessionUser: Sendable, Hashable, Codable, Redacted {
    /// A member of a user's description that the user enters.
    ///
    /// Wire: the member's name in `user`, and in the array `missing`.
    public enum ProfileMember: String, Sendable, Hashable, CaseIterable, Codable {
        /// The user's name.
        case name
        /// The telephone number.
        case phoneNumber
    }

    /// The server's identifier of the user; never changes.
    public let id: String
    /// The user's name.
    public let name: String?
    /// The email address.
    public let email: String?
    /// The telephone number.
    public let phoneNumber: String?
    /// The user's role in the app family, for example `customer` or `driver`.
    public let role: String?
    /// The members that the server requires of this user and does not have, in the order in which to ask for them.
    ///
    /// Empty if the account is complete, or the server requires nothing. An app asks the user for them before it shows
    /// its main screen, and sends them with `updateProfile(name:phoneNumber:)`.
    ///
    /// Wire: `missing` of `user`. A name that this release does not know is ignored.
    public let missing: [ProfileMember]

    /// Creates a user; each member says what it is.
    public init(
        id: String,
        name: String? = nil,
        email: String? = nil,
        phoneNumber: String? = nil,
        role: String? = nil,
        missing: [ProfileMember] = []
    ) {
        self.id = id
        self.name = name.map(Self.cut)
        self.email = email.flatMap(Self.unlessLong)
        self.phoneNumber = phoneNumber.flatMap(Self.unlessLong)
        self.role = role.flatMap(Self.unlessLong)
        self.missing = ProfileMember.allCases.filter(missing.contains)
    }

    /// Creates a user from a provider's claims.
    package init(subject: String, claims: (String) -> JSONValue?) {
        self.init(
            id: subject,
            name: claims("name")?.string,
            email: claims("email")?.string,
            phoneNumber: claims("phone_number")?.string
        )
    }

    /// Reads a user of a stored record, with the same limits.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try members.decode(String.self, forKey: .id),
            name: try members.decodeIfPresent(String.self, forKey: .name),
            email: try members.decodeIfPresent(String.self, forKey: .email),
            phoneNumber: try members.decodeIfPresent(String.self, forKey: .phoneNumber),
            role: try members.decodeIfPresent(String.self, forKey: .role),
            missing: try members.decode([String].self, forKey: .missing).compactMap(Self.unlessLong)
                .compactMap(ProfileMember.init)
        )
    }

    /// Returns whether both are known to be the same user; false if either is unknown.
    ///
    /// IDs are compared by their bytes. IDs that Swift considers equal, with accents composed and not, may belong to
    /// two users.
    static func isSame(_ one: SessionUser?, as other: SessionUser?) -> Bool {
        guard let one, let other else { return false }
        return one.id.utf8.elementsEqual(other.id.utf8)
    }

    /// The user's name on a screen: the name, else the email address, else the telephone number.
    public var displayName: String? { name ?? email ?? phoneNumber }
}

extension SessionUser {
    /// The length limit of a text about a user, in bytes.
    static let longestText = 1_024

    /// Returns a text cut to the limit, never within a scalar.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        var length = 0
        return String(
            text.unicodeScalars.prefix { scalar in
                length += Unicode.UTF8.width(scalar)
                return length <= longestText
            }
        )
    }

    /// Returns a text within the limit, else nil.
    package static func unlessLong(_ text: String) -> String? { text.utf8.count > longestText ? nil : text }

    /// Every member, as bytes.
    private var bytes: [[UInt8]?] {
        ([id, name, email, phoneNumber, role] + missing.map(\.rawValue)).map { $0.map { Array($0.utf8) } }
    }

    public static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }

    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
