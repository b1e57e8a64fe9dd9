// SPDX-License-Identifier: Apache-2.0

import AppShell
import AuthSession

extension ShellModel {
    /// Handles an event.
    ///
    /// - Parameter event: The event.
    /// - Returns: The effects to perform, in this order.
    mutating func handle(_ event: ShellEvent) -> [ShellEffect] {
        let before = facts.state
        notice = nil
        let effects = respond(to: event)
        updateForm(isSameUser: Self.person(in: before) == Self.person(in: facts.state))
        if notice != nil || event.isFromUser || facts.state != before { standingNotice = notice }
        return effects
    }

    private mutating func respond(to event: ShellEvent) -> [ShellEffect] {
        switch event {
        case .key(let key): return handle(key)
        case .mouse(let touch): return handle(touch)
        case .line(let line): return take(line)
        case .facts(let facts): return learn(facts)
        case .jobs(let answer): return take(answer)
        case .retryEnded(let facts):
            let effects = learn(facts)
            notice = stillSentence
            return effects
        case .address(let address): self.address = address
        case .signInEnded:
            isSigningIn = false
            address = nil
            focusAfterSignIn()
        case .tick: step += 1
        case .checkDue: return isMain && !isOffline && !facts.isLoading ? beginRefresh(isAwaited: false) : []
        case .resize: pressed = nil
        case .interrupt(let code): return [.quit(code)]
        }
        return []
    }

    private mutating func take(_ line: String) -> [ShellEffect] {
        if let effects = takeEntry(line) { return effects }
        let text = PlainText(self)
        if let action = text.choice(line) { return perform(action) }
        let isEmpty = line.allSatisfy(\.isWhitespace)
        if text.choices.count < 2 {
            notice = "One moment."
        } else if !isEmpty {
            notice = "Type a number from 1 to \(text.choices.count), or q to quit. Enter alone reads all again."
        }
        return isEmpty ? [.redraw] : []
    }

    /// Performs an action if the screen offers it.
    mutating func perform(_ action: ShellAction) -> [ShellEffect] {
        switch action {
        case .quit: return [.quit(0)]
        case .next, .back, .skip, .getStarted, .page: return turn(action)
        case .tab(let index):
            guard isMain, tabs.indices.contains(index) else { return [] }
            (tab, scroll, chosen) = (index, 0, nil)
            return []
        case _ where !actions.contains(action): return []
        case .signIn: return beginSignIn()
        case .cancelSignIn: return [.cancelSignIn]
        case .refresh: return beginRefresh(isAwaited: true)
        case .retry: return [.retry]
        case .signOut: return [.signOut]
        case .register: return register()
        case .field:
            chosen = action
            return []
        case .remember:
            form.isRemembered?.toggle()
            return []
        }
    }

    private mutating func turn(_ action: ShellAction) -> [ShellEffect] {
        guard flow.screen == .onboarding else { return [] }
        switch action {
        case .next: onboarding.next()
        case .back: onboarding.back()
        case .page(let index): onboarding.show(index)
        case .skip: onboarding.skip()
        default: onboarding.getStarted()
        }
        guard onboarding.isFinished else { return [] }
        flow.isOnboardingCompleted = true
        chosen = nil
        return [.completeOnboarding]
    }

    private mutating func learn(_ facts: ShellFacts) -> [ShellEffect] {
        let wasMain = isMain, before = self.facts.state
        self.facts = facts
        guard isMain else {
            if wasMain { isSessionKept = true }
            forgetUser()
            return []
        }
        if let known = Self.person(in: before), Self.person(in: facts.state) != known {
            // Another window has signed in another user, so the data here is not this user's.
            forgetUser()
            return beginRefresh(isAwaited: true)
        }
        let isBack = before != facts.state && !isOffline && jobs == nil
        return !wasMain || isBack ? beginRefresh(isAwaited: true) : []
    }

    /// Returns the signed-in user's ID, or nil if the server has not named the user.
    private static func person(in state: SessionState) -> String? {
        guard case .signedIn(let user, _) = state else { return nil }
        return user?.id
    }
}
