// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession
import AuthUI
import SecureStore
import UmuveBrands

/// The sentences that the drawn and the plain screen share.
extension ShellModel {
    /// The greeting on the first tab.
    var greeting: String { facts.name.map { "Hello, \($0)." } ?? "Hello." }

    /// The number of open pickups.
    var pickupsSentence: String {
        switch jobs?.count(where: { $0.status == "open" }) {
        case nil: "Your pickups show once they have been loaded."
        case 0: "Nothing is on its way."
        case 1: "One pickup is open."
        case let count?: "\(count) pickups are open."
        }
    }

    /// The number of finished jobs.
    var earningsSentence: String {
        switch jobs?.count(where: { $0.status == "done" }) {
        case nil: "Your earnings show once they have been loaded."
        case 0: "No job done yet. What you earn shows here."
        case 1: "One job done."
        case let count?: "\(count) jobs done."
        }
    }

    /// The sentence in place of an empty list, or nil if the list has entries.
    var emptyListSentence: String? {
        guard let jobs else { return "Not loaded yet." }
        guard jobs.isEmpty else { return nil }
        return selectedTab == .jobs
            ? "No jobs nearby now. New ones show here." : "Nothing booked yet. What you book shows here."
    }

    /// The sentence for a device that the backend knows, to which no push service delivers notifications.
    static let deviceSentence = "The backend knows this device."

    /// The sentence for jobs that could not be loaded.
    var jobsFailure: String {
        brand.role == "driver" ? "The jobs could not be loaded." : "Your pickups could not be loaded."
    }

    /// What the user waits for during a sign-in.
    var signingInSentence: String {
        brand.signInMethod == .apple ? "Finish signing in in the browser" : "Signing in"
    }

    /// The sentence that says where the session is kept.
    var placeSentence: String { isSessionKept ? place : StoreChoice.memory.sentence }

    /// The role of an account that is not the role of the app's users, or nil if it is.
    var roleSentence: String? {
        guard let role = facts.role, role != brand.role else { return nil }
        return "Your account is registered as a \(role)."
    }

    /// The reason for the sign-out, or nil if the user knows it.
    var signedOutSentence: String? {
        guard case .signedOut(let reason) = facts.state else { return nil }
        return AuthenticationManager.message(for: reason)
    }

    /// The sentence for a retry that has changed nothing, or nil if it has changed something.
    var stillSentence: String? {
        switch flow.screen {
        case .main(.some): "Still offline."
        case .locked(let reason) where reason.code == .locked: "Still locked."
        case .locked(let reason): ShownText.of("Tried again. \(reason.description)")
        default: nil
        }
    }
}
