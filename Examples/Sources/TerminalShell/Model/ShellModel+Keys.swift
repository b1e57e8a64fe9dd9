// SPDX-License-Identifier: Apache-2.0

import AppShell

extension ShellModel {
    mutating func handle(_ key: Key) -> [ShellEffect] {
        if let effects = edit(with: key) { return effects }
        switch key {
        case .redraw: return [.redraw]
        case .enter, .character(" "): return focus.map { perform($0) } ?? []
        case .tab: moveFocus(by: 1)
        case .backTab: moveFocus(by: -1)
        case .left: return move(by: -1)
        case .right: return move(by: 1)
        case .up: scrollOrMoveFocus(by: -1)
        case .down: scrollOrMoveFocus(by: 1)
        case .escape: return perform(.cancelSignIn)
        case .backspace, .delete, .home, .end, .paste: break
        case .character(let character): return action(of: character).map { perform($0) } ?? []
        }
        return []
    }

    /// Moves to the page or tab at the left or right.
    mutating func move(by step: Int) -> [ShellEffect] {
        if flow.screen == .onboarding { return perform(step > 0 ? .next : .back) }
        guard isMain else { return [] }
        return perform(.tab(min(max(tab + step, 0), tabs.count - 1)))
    }

    /// Moves the focus forward or backward.
    mutating func moveFocus(by step: Int) {
        guard let focus, let index = actions.firstIndex(of: focus) else { return }
        chosen = actions[(index + step + actions.count) % actions.count]
    }

    /// Scrolls the list if there is a list, and otherwise moves the focus.
    mutating func scrollOrMoveFocus(by step: Int) {
        guard isMain, selectedTab == .activity || selectedTab == .jobs else { return moveFocus(by: step) }
        scroll = min(max(scroll + step, 0), max(0, (jobs?.count ?? 0) - 1))
    }

    private func action(of character: Character) -> ShellAction? {
        switch character {
        case "q": return .quit
        case "n": return .next
        case "b": return .back
        case "s": return flow.screen == .onboarding ? .skip : .signIn
        case "g": return .getStarted
        case "r": return actions.contains(.retry) ? .retry : .refresh
        case "1"..."9":
            guard let number = character.wholeNumberValue else { return nil }
            return flow.screen == .onboarding ? .page(number - 1) : .tab(number - 1)
        default: return nil
        }
    }
}
