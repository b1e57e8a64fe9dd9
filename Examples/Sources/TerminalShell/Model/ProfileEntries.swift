// SPDX-License-Identifier: Apache-2.0

/// The values that the user has entered to complete the account; nil for those that are not asked for.
struct ProfileEntries: Sendable, Hashable {
    let name: String?
    let phoneNumber: String?

    /// Takes the values out of a form.
    init(_ form: Form) {
        name = form.value(of: .name)
        phoneNumber = form.value(of: .phoneNumber)
    }
}
