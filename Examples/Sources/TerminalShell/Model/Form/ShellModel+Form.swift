// SPDX-License-Identifier: Apache-2.0

import AppShell
import UmuveBrands

extension ShellModel {
    /// The form that the screen shows.
    private var screenForm: Form {
        switch flow.screen {
        case .signIn where brand.signInMethod == .password: .signIn
        case .registration: .registration(of: missing)
        default: Form()
        }
    }

    /// Shows the form of the screen; what was typed stays as long as the screen asks for the same.
    ///
    /// - Parameter isSameUser: Whether the signed-in user is still the one who has typed.
    mutating func updateForm(isSameUser: Bool = true) {
        let fresh = screenForm
        guard !isSameUser || !fresh.isSame(as: form) else { return }
        (form, chosen, isPasting) = (fresh, nil, false)
    }

    /// The index of the field that the user types into, or nil if a button has the focus.
    var focusedField: Int? {
        guard case .field(let index)? = focus, form.fields.indices.contains(index) else { return nil }
        return index
    }

    /// Whether the user types a secret now.
    var isTypingSecret: Bool { focusedField.map { form.fields[$0].isSecret } ?? false }

    /// Handles a key in a text field, and every key of a pasted text.
    ///
    /// - Returns: The effects to perform; nil if the key belongs to the screen.
    mutating func edit(with key: Key) -> [ShellEffect]? {
        if case .paste(let isStart) = key {
            isPasting = isStart
            return []
        }
        if isPasting, let effects = paste(key) { return effects }
        guard let index = focusedField else { return nil }
        switch key {
        case .character(let character): form.fields[index].type(character)
        case .backspace: form.fields[index].deleteBackward()
        case .delete: form.fields[index].deleteForward()
        case .left: form.fields[index].moveCaret(by: -1)
        case .right: form.fields[index].moveCaret(by: 1)
        case .home: form.fields[index].moveCaret(by: -form.fields[index].count)
        case .end: form.fields[index].moveCaret(by: form.fields[index].count)
        case .enter:
            if form.firstEmpty == nil { return perform(flow.screen == .registration ? .register : .signIn) }
            moveFocus(by: 1)
        default: return nil
        }
        return []
    }

    /// Takes a key of a pasted text, which presses no button; line ends and tabs of it are left out.
    ///
    /// - Returns: The effects to perform; nil for a key that no text has: the end of the text was lost.
    private mutating func paste(_ key: Key) -> [ShellEffect]? {
        switch key {
        case .character(let character):
            if let index = focusedField { form.fields[index].type(character) }
            return []
        case .enter, .tab: return []
        default:
            isPasting = false
            return nil
        }
    }
}
