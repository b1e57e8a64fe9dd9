// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession
import AuthUI
import SecureStore
import UmuveBrands

/// The sentences of the screens.
extension AppModel {
    /// The signed-in user's name; nil if no user is signed in or the user has no name.
    var name: String? { manager.currentUser?.displayName.flatMap { ShownText.of($0) } }

    /// The user's e-mail address or phone number, or nil if it is the name already.
    var contact: String? {
        let user = manager.currentUser
        let contact = (user?.email ?? user?.phoneNumber).flatMap { ShownText.of($0) }
        return contact == name ? nil : contact
    }

    var greeting: String { name.map { "Hello, \($0)." } ?? "Hello." }

    /// The role of an account that is not the role of the app's users, or nil if it is.
    var roleSentence: String? {
        guard let role = manager.currentUser?.role.flatMap({ ShownText.of($0, limit: 40) }), role != brand.role else {
            return nil
        }
        return "Your account is registered as a \(role)."
    }

    /// The sentence for a device that the backend knows.
    var deviceSentence: String? { registration.status == .registered ? "The backend knows this device." : nil }

    /// The last error, or nil if there was none.
    var errorMessage: String? { manager.errorMessage.flatMap { ShownText.of($0) } }

    /// The reason for the sign-out, or nil if the user knows it or an error shows.
    var signedOutSentence: String? {
        guard errorMessage == nil, case .signedOut(let reason) = manager.state else { return nil }
        return AuthenticationManager.message(for: reason)
    }

    /// The members that the account lacks.
    var missing: [SessionUser.ProfileMember] { manager.currentUser?.missing ?? [] }

    /// The sentence that says what the user's account lacks.
    var registrationSentence: String {
        let names = missing.map { $0 == .name ? "name" : "phone number" }.joined(separator: " and ")
        return "To get started, \(brand.name) needs your \(names)."
    }

    /// Since when the server can't be reached, or nil if it can be reached.
    var offlineSentence: String? {
        manager.offlineSince.map { "Offline since \(ClockTime.text(of: $0)). Retrying automatically." }
    }

    private var shownJobs: [Job]? { jobs.jobs(of: manager.currentUser) }

    /// The sentence in place of what only the backend has; nil at the backend.
    private var noBackendSentence: String? { isAtProvider ? "This needs the app's own backend." : nil }

    /// The number of open pickups.
    var pickupsSentence: String {
        switch shownJobs?.count(where: { $0.status == "open" }) {
        case nil: noBackendSentence ?? "Your pickups show once they have been loaded."
        case 0: "Nothing is on its way."
        case 1: "One pickup is open."
        case let count?: "\(count) pickups are open."
        }
    }

    /// The number of finished jobs.
    var earningsSentence: String {
        switch shownJobs?.count(where: { $0.status == "done" }) {
        case nil: noBackendSentence ?? "Your earnings show once they have been loaded."
        case 0: "No job done yet. What you earn shows here."
        case 1: "One job done."
        case let count?: "\(count) jobs done."
        }
    }

    /// The lines of the list of jobs; one sentence in place of an empty list.
    var jobLines: [String] {
        guard let jobs = shownJobs else { return [noBackendSentence ?? "Not loaded yet."] }
        guard !jobs.isEmpty else {
            let isDriver = brand.role == "driver"
            return [
                isDriver ? "No jobs nearby now. New ones show here." : "Nothing booked yet. What you book shows here."
            ]
        }
        return jobs.map { job in
            [job.title, job.address, job.status].compactMap { ShownText.of($0, limit: 100) }.joined(separator: " · ")
        }
    }

    /// The sentence for jobs that could not be loaded, or nil if they could.
    var jobsFailure: String? {
        guard jobs.hasFailed else { return nil }
        return brand.role == "driver" ? "The jobs could not be loaded." : "Your pickups could not be loaded."
    }
}
