// SPDX-License-Identifier: Apache-2.0

import AuthSession

/// The text fields of a screen, in order, and its check box.
struct Form: Sendable, Equatable {
    var fields: [TextField] = []
    /// Whether the session is kept after the program's end; nil if the screen does not ask.
    var isRemembered: Bool?

    /// The actions that move the focus to the fields, and that of the check box.
    var actions: [ShellAction] {
        fields.indices.map { .field($0) } + (isRemembered == nil ? [] : [.remember])
    }

    /// Whether the form asks for the same values as another one.
    func isSame(as other: Form) -> Bool {
        fields.map(\.name) == other.fields.map(\.name) && (isRemembered == nil) == (other.isRemembered == nil)
    }

    /// Returns the text of a field without surrounding space; nil if there is no such field, or it is empty.
    func value(of name: TextField.Name) -> String? {
        guard let text = fields.first(where: { $0.name == name })?.text else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The index of the first empty field; nil if all are filled.
    var firstEmpty: Int? { fields.firstIndex { $0.isBlank } }
}

extension Form {
    /// The form of a sign-in with a password.
    static let signIn = Form(
        fields: [TextField(.email, "E-mail address"), TextField(.password, "Password", isSecret: true)],
        isRemembered: true
    )

    /// The form for what a user's account lacks.
    static func registration(of missing: [SessionUser.ProfileMember]) -> Form {
        Form(
            fields: missing.map { member in
                switch member {
                case .name: TextField(.name, "Name")
                case .phoneNumber:
                    TextField(
                        .phoneNumber,
                        "Phone number",
                        remark: "With its country code, for example +1 415 555 0100."
                    )
                }
            }
        )
    }

    /// Takes the password out of the form.
    ///
    /// - Returns: What the user has entered; nil if a field is empty.
    mutating func takeCredentials() -> SignInCredentials? {
        guard firstEmpty == nil, let email = value(of: .email),
            let index = fields.firstIndex(where: { $0.name == .password })
        else { return nil }
        let credentials = SignInCredentials(
            email: email,
            password: fields[index].password,
            isRemembered: isRemembered ?? true
        )
        fields[index].clear()
        return credentials
    }
}
