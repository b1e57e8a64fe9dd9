// SPDX-License-Identifier: Apache-2.0

import AppShell
import UmuveBrands

/// The complete state that decides what the shell shows.
///
/// A value: events go in, effects come out, and ``Layout`` draws it.
struct ShellModel: Sendable, Equatable {
    let brand: Brand
    let tabs: [ShellTab]
    /// A sentence that says where the session is kept.
    let place: String
    var glyphs = Glyphs.unicode

    var flow: AppFlow
    var onboarding: Onboarding
    var facts = ShellFacts() { didSet { flow.session = facts.state } }
    /// The index of the selected tab, from 0.
    var tab = 0
    /// The number of jobs that are scrolled off at the top.
    var scroll = 0
    /// The jobs, or nil until they are loaded.
    var jobs: [Job]?
    /// The request for the jobs in progress, or nil if there is no request.
    var refresh: JobsRefresh?
    /// Whether the last request for the jobs failed.
    var haveJobsFailed = false
    var isSigningIn = false
    /// The text fields of the screen.
    var form = Form()
    /// Whether the terminal is pasting a text.
    var isPasting = false
    /// Whether the session is kept after the program's end, by the last sign-in.
    var isSessionKept = true
    /// The address that the user opens if no browser does.
    var address: String?
    /// The current step of the animation.
    var step = 0
    /// The action that the user has moved the focus to; used only if the screen offers it.
    var chosen: ShellAction?
    /// The message about the last input or its outcome.
    var notice: String?
    /// The last message, which stays visible until the next input or change of the session.
    var standingNotice: String?
    /// The position at which the mouse button was pressed.
    var pressed: Position?

    /// Creates a model at its first screen.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - isOnboardingCompleted: Whether the onboarding was completed or skipped.
    ///   - place: A sentence that says where the session is kept.
    init(brand: Brand, isOnboardingCompleted: Bool, place: String = "The session is kept in the keyring.") {
        self.brand = brand
        self.place = place
        tabs = ShellTab.tabs(of: brand)
        flow = AppFlow(
            isOnboardingCompleted: isOnboardingCompleted,
            completesAccounts: brand.completesAccounts
        )
        onboarding = Onboarding(pages: brand.pages)
    }

    /// The selected tab.
    var selectedTab: ShellTab { tabs[tab] }

    /// Whether the main screen shows and the server can't be reached.
    var isOffline: Bool {
        if case .main(.some) = flow.screen { true } else { false }
    }

    var isMain: Bool {
        if case .main = flow.screen { true } else { false }
    }

    /// Whether the screen shows an animation.
    var isMoving: Bool { facts.isLoading || isSigningIn || isAwaitingJobs }

    /// The actions that the screen offers, in order, with the default action last.
    var actions: [ShellAction] {
        switch flow.screen {
        case .splash: return []
        case .onboarding:
            if onboarding.isLast { return (onboarding.isFirst ? [] : [.back]) + [.getStarted] }
            return (onboarding.isFirst ? [] : [.back]) + [.skip, .next]
        case .registration: return facts.isLoading ? [] : form.actions + [.register, .signOut]
        case .signIn:
            if isSigningIn { return [.cancelSignIn] }
            return facts.isLoading ? [] : form.actions + [.signIn]
        case .locked: return facts.isLoading ? [] : [.retry]
        case .main:
            if facts.isLoading { return [] }
            return (selectedTab == .settings ? [.signOut] : []) + (isOffline ? [.retry] : [.refresh])
        }
    }

    /// The action of the Enter key, by default the first text field or the last action, which is never signing out.
    var focus: ShellAction? {
        if let chosen, actions.contains(chosen) { return chosen }
        return form.fields.isEmpty ? actions.last : actions.first
    }
}
