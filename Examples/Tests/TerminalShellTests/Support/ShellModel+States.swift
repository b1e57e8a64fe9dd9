// SPDX-License-Identifier: Apache-2.0

import AuthSession
import Foundation
import SecureStore
import UmuveBrands

@testable import TerminalShell

extension ShellModel {
    static let ada = SessionUser(id: "1", name: "Ada Lovelace", email: "ada@example.com")

    /// Returns a model that has received the session's state.
    static func standing(_ state: SessionState, brand: Brand = .customer, onboarded: Bool = true) -> ShellModel {
        var model = ShellModel(brand: brand, isOnboardingCompleted: onboarded)
        _ = model.handle(.facts(ShellFacts(state: state)))
        return model
    }

    static var atOnboarding: ShellModel { standing(.signedOut(.noSession), onboarded: false) }
    static var atSignIn: ShellModel { standing(.signedOut(.noSession)) }
    static var atMain: ShellModel { standing(.signedIn(ada, .online)) }
    static var atOffline: ShellModel { standing(.signedIn(ada, .offline(since: Date(timeIntervalSince1970: 0)))) }
    static var atLocked: ShellModel { standing(.locked(SecureStoreError(.locked))) }

    static var atRegistration: ShellModel {
        standing(.signedIn(SessionUser(id: "1", missing: [.name, .phoneNumber]), .online), brand: .driver)
    }

    /// The sign-in screen after the server has ended the session.
    static var atEnd: ShellModel { standing(.signedOut(.endedByServer)) }
    static var withoutKeyring: ShellModel { standing(.locked(SecureStoreError(.noSessionBus))) }

    /// The main screen after the jobs could not be loaded.
    static var withoutJobs: ShellModel {
        var model = atMain
        _ = model.handle(.jobs(.failed))
        return model
    }

    /// Returns the sign-in screen during a sign-in in the browser.
    static func signingIn(at address: String) -> ShellModel {
        var model = atSignIn
        _ = model.handle(.key(.enter))
        _ = model.handle(.address(address))
        return model
    }

    /// The text that is read out if nothing was read before.
    var announced: [String] { PlainText(self).announcement(after: nil) { title(of: $0) } }

    /// Returns the screen as lines.
    func lines(_ columns: Int = 80, _ rows: Int = 24) -> [String] {
        Layout.drawing(of: self, in: ScreenSize(columns: columns, rows: rows)).lines
    }

    /// Returns the screen as one text.
    func text(_ columns: Int = 80, _ rows: Int = 24) -> String { lines(columns, rows).joined(separator: "\n") }
}
