// SPDX-License-Identifier: Apache-2.0

import AppShell
import UmuveBrands

extension ShellModel {
    /// Begins a sign-in, or says what is missing for it.
    mutating func beginSignIn() -> [ShellEffect] {
        if let index = form.firstEmpty {
            notice = "Type your \(form.fields[index].label.lowercased())."
            chosen = .field(index)
            return []
        }
        isSessionKept = form.isRemembered ?? true
        (isSigningIn, address, chosen) = (true, nil, nil)
        return [.signIn]
    }

    /// Moves the focus to the password, which has to be typed again after each attempt.
    mutating func focusAfterSignIn() {
        guard flow.screen == .signIn else { return }
        chosen = form.firstEmpty.map { .field($0) }
    }

    /// The prompt of the plain mode for the current value, or nil if it asks for none.
    var entryPrompt: String? {
        if focus == .remember { return "Keep you signed in? Type yes or no, then Enter. Enter alone means yes." }
        guard let index = focusedField else { return nil }
        let field = form.fields[index]
        if field.isSecret {
            return "Type your \(field.label.lowercased()), then Enter. It is not shown. Enter alone goes back."
        }
        let kept = form.value(of: field.name).map { "; Enter alone keeps \($0)" } ?? ""
        return "Type your \(field.label.lowercased()), then Enter\(kept). q quits."
    }

    /// Takes a line of the plain mode as the current value, and goes on to the next one.
    ///
    /// - Returns: The effects to perform; nil if the screen asks for no value.
    mutating func takeEntry(_ line: String) -> [ShellEffect]? {
        if focus == .remember { return takeChoice(line) }
        guard let index = focusedField else { return nil }
        let isEmpty = line.allSatisfy(\.isWhitespace)
        if form.fields[index].isSecret {
            // Anything may be a password, also a number or a `q`.
            form.fields[index].take(line)
            chosen = line.isEmpty ? .field(max(0, index - 1)) : chosen
            if !line.isEmpty { moveFocus(by: 1) }
            return []
        }
        if ["q", "quit"].contains(line.lowercased().filter { !$0.isWhitespace }) { return perform(.quit) }
        if flow.screen == .registration, let action = PlainText(self).numberedChoice(line) { return perform(action) }
        if !isEmpty { form.fields[index].take(line) }
        guard !form.fields[index].isBlank else { return [.redraw] }
        moveFocus(by: 1)
        return focus == .register ? perform(.register) : []
    }

    private mutating func takeChoice(_ line: String) -> [ShellEffect] {
        switch line.lowercased().filter({ !$0.isWhitespace }) {
        case "", "y", "yes": form.isRemembered = true
        case "n", "no": form.isRemembered = false
        case "q", "quit": return perform(.quit)
        default:
            notice = "Type yes or no."
            return [.redraw]
        }
        return perform(.signIn)
    }
}
