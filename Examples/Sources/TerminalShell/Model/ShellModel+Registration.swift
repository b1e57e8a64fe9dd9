// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AppShell
import AuthSession
import UmuveBrands

extension ShellModel {
    /// The sentence that says what the user's account lacks.
    var registrationSentence: String {
        let names = form.fields.map { $0.label.lowercased() }.joined(separator: " and ")
        return "To get started, \(brand.name) needs your \(names)."
    }

    /// The members that the signed-in user's account lacks.
    var missing: [SessionUser.ProfileMember] {
        guard case .signedIn(let user?, _) = facts.state else { return [] }
        return user.missing
    }

    /// Sends what the user has entered, or says what is missing.
    mutating func register() -> [ShellEffect] {
        if let index = form.firstEmpty {
            notice = "Type your \(form.fields[index].label.lowercased())."
            chosen = .field(index)
            return []
        }
        // If the server refuses a value, the first field has the focus again.
        chosen = nil
        return [.updateProfile(ProfileEntries(form))]
    }
}
