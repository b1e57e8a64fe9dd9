import AuthSession
import UmuveBrands

/// All that decides what the shell shows.
///
/// A value: events go in, effects come out, and ``Layout`` draws it.
struct ShellModel: Sendable, Equatable {
    let brand: Brand
    let tabs: [ShellTab]
    /// Where the session is kept, in a sentence.
    let place: String
    var glyphs = Glyphs.unicode

    var flow: AppFlow
    var onboarding: Onboarding
    var facts = ShellFacts() { didSet { flow.session = facts.state } }
    /// Which tab shows, counted from 0.
    var tab = 0
    /// How many jobs are scrolled away at the top.
    var scroll = 0
    /// The jobs; nil until they have come.
    var jobs: [Job]?
    /// The asking for them that is under way; nil for none.
    var refresh: JobsRefresh?
    /// Whether they did not come when they were last asked for.
    var haveJobsFailed = false
    var isSigningIn = false
    /// What the person is to open where no browser opens by itself.
    var address: String?
    /// Which step of the motion shows.
    var step = 0
    /// What the person has moved to; of use only where the screen offers it.
    var chosen: ShellAction?
    /// What the person is told of what they have just typed, or of what came of it.
    var notice: String?
    /// The last of these, until the person does something else or the session changes: for who looks and does not listen.
    var standingNotice: String?
    /// Where the mouse's button went down.
    var pressed: Position?

    /// Begins with a first screen.
    ///
    /// - Parameters:
    ///   - brand: Which app it is.
    ///   - isOnboardingCompleted: Whether the onboarding was completed or skipped.
    ///   - place: Where the session is kept, in a sentence.
    init(brand: Brand, isOnboardingCompleted: Bool, place: String = "The session is kept in the keyring.") {
        self.brand = brand
        self.place = place
        tabs = ShellTab.tabs(of: brand)
        flow = AppFlow(isOnboardingCompleted: isOnboardingCompleted)
        onboarding = Onboarding(pages: brand.pages)
    }

    /// The tab that shows.
    var selectedTab: ShellTab { tabs[tab] }

    /// Since when the server can't be reached, where the main screen shows.
    var isOffline: Bool {
        if case .main(.some) = flow.screen { true } else { false }
    }

    var isMain: Bool {
        if case .main = flow.screen { true } else { false }
    }

    /// Whether something is under way that is drawn with motion.
    var isMoving: Bool { facts.isLoading || isSigningIn || isAwaitingJobs }

    /// What the screen offers, in its order; the one that is meant comes last.
    var actions: [ShellAction] {
        switch flow.screen {
        case .splash: return []
        case .onboarding:
            if onboarding.isLast { return (onboarding.isFirst ? [] : [.back]) + [.getStarted] }
            return (onboarding.isFirst ? [] : [.back]) + [.skip, .next]
        case .signIn, .registration:
            if isSigningIn { return [.cancelSignIn] }
            return facts.isLoading ? [] : [.signIn]
        case .locked: return facts.isLoading ? [] : [.retry]
        case .main:
            if facts.isLoading { return [] }
            return (selectedTab == .settings ? [.signOut] : []) + (isOffline ? [.retry] : [.refresh])
        }
    }

    /// What Enter does: by itself what is meant, which signing out never is.
    var focus: ShellAction? {
        if let chosen, actions.contains(chosen) { return chosen }
        return actions.last
    }
}
