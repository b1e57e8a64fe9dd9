import AuthSession
import SecureStore
import UmuveBrands

/// What both the drawn shell and the plain one say of the same thing.
extension ShellModel {
    /// How many pickups are open.
    var pickupsSentence: String {
        switch jobs?.count(where: { $0.status == "open" }) {
        case nil: "Your pickups show once they have been loaded."
        case 0: "Nothing is on its way."
        case 1: "One pickup is open."
        case let count?: "\(count) pickups are open."
        }
    }

    /// How many jobs are done.
    var earningsSentence: String {
        switch jobs?.count(where: { $0.status == "done" }) {
        case nil: "Your earnings show once they have been loaded."
        case 0: "No job done yet. What you earn shows here."
        case 1: "One job done."
        case let count?: "\(count) jobs done."
        }
    }

    /// What stands in place of a list that has nothing to show; nil where it has.
    var emptyListSentence: String? {
        guard let jobs else { return "Not loaded yet." }
        guard jobs.isEmpty else { return nil }
        return selectedTab == .jobs
            ? "No jobs nearby now. New ones show here." : "Nothing booked yet. What you book shows here."
    }

    /// That the jobs did not come.
    var jobsFailure: String {
        brand.role == "driver" ? "The jobs could not be loaded." : "Your pickups could not be loaded."
    }

    /// Why who was signed in is so no more; nil where the person knows.
    var signedOutSentence: String? {
        guard case .signedOut(let reason) = facts.state else { return nil }
        return reason.explanation
    }

    /// That another try has changed nothing; nil where it has.
    var stillSentence: String? {
        switch flow.screen {
        case .main(.some): "Still offline."
        case .locked(let reason) where reason.code == .locked: "Still locked."
        case .locked(let reason): ShownText.of("Tried again. \(reason.description)")
        default: nil
        }
    }
}
