import AuthCore

/// Who is signed in, in the server's words.
///
/// Printing one shows nothing of the person.
public struct User: Sendable, Hashable, Codable, CustomStringConvertible, CustomReflectable {
    /// The server's name for the person; never changes.
    public let id: String
    /// The person's name.
    public let name: String?
    /// The e-mail address.
    public let email: String?
    /// The telephone number.
    public let phoneNumber: String?
    /// What the person is to the app family: `customer` or `driver`, say.
    public let role: String?

    /// Makes a user.
    ///
    /// - Parameters:
    ///   - id: The server's name for the person.
    ///   - name: The person's name.
    ///   - email: The e-mail address.
    ///   - phoneNumber: The telephone number.
    ///   - role: What the person is to the app family.
    public init(id: String, name: String? = nil, email: String? = nil, phoneNumber: String? = nil, role: String? = nil)
    {
        self.id = id
        self.name = name
        self.email = email
        self.phoneNumber = phoneNumber
        self.role = role
    }

    /// Who signed in at a provider, by its word.
    ///
    /// - Parameters:
    ///   - subject: The provider's name for the person.
    ///   - claims: What it says of the person.
    init(subject: String, claims: (String) -> JSONValue?) {
        self.init(
            id: subject,
            name: claims("name")?.string,
            email: claims("email")?.string,
            phoneNumber: claims("phone_number")?.string
        )
    }

    /// Whether both are known to be the same user: two that no server has named may be two.
    ///
    /// By the bytes of the names: two that Swift takes for equal, accents composed and not, may be two people's.
    static func isSame(_ one: User?, as other: User?) -> Bool {
        guard let one, let other else { return false }
        return one.id.utf8.elementsEqual(other.id.utf8)
    }

    /// What a screen calls the person: the name, else the address, else the number.
    public var displayName: String? { name ?? email ?? phoneNumber }

    /// Nothing of the person.
    public var description: String { "User(<redacted>)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
