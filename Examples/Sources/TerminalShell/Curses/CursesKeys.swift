// SPDX-License-Identifier: Apache-2.0

import CNcurses

/// The conversion of ncurses input to the shell's events.
enum CursesKeys {
    /// Returns the event of an input, or nil if the shell doesn't use the input.
    static func event(of input: shell_input) -> ShellEvent? {
        switch Int(input.kind) {
        case SHELL_CHARACTER: key(ofCharacter: input.code).map { .key($0) }
        case SHELL_KEY: key(of: Int32(bitPattern: input.code)).map { .key($0) }
        case SHELL_MOUSE_DOWN: touch(.down, input)
        case SHELL_MOUSE_UP: touch(.up, input)
        case SHELL_WHEEL_UP: touch(.wheelUp, input)
        case SHELL_WHEEL_DOWN: touch(.wheelDown, input)
        default: nil
        }
    }

    private static func touch(_ kind: MouseTouch.Kind, _ input: shell_input) -> ShellEvent {
        .mouse(MouseTouch(kind: kind, position: Position(column: Int(input.column), row: Int(input.row))))
    }

    private static func key(ofCharacter code: UInt32) -> Key? {
        switch code {
        case 0x08, 0x7F: return .backspace
        case 0x09: return .tab
        case 0x0A, 0x0D: return .enter
        case 0x0C: return .redraw
        case 0x1B: return .escape
        default:
            guard code >= 0x20, let scalar = Unicode.Scalar(code) else { return nil }
            return .character(Character(scalar))
        }
    }

    private static func key(of code: Int32) -> Key? {
        switch code {
        case KEY_LEFT: .left
        case KEY_RIGHT: .right
        case KEY_UP: .up
        case KEY_DOWN: .down
        case KEY_BTAB: .backTab
        case KEY_ENTER: .enter
        case KEY_BACKSPACE: .backspace
        case KEY_DC: .delete
        case KEY_HOME: .home
        case KEY_END: .end
        case Int32(SHELL_PASTE_START): .paste(true)
        case Int32(SHELL_PASTE_END): .paste(false)
        default: nil
        }
    }
}
