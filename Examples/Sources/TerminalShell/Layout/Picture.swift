// SPDX-License-Identifier: Apache-2.0

/// The drawings that replace SF symbols on a terminal.
enum Picture {
    private static let pictures: [String: [String]] = [
        "shippingbox": [
            "┌──┬──┐",
            "│  │  │",
            "│  ┴  │",
            "└─────┘",
        ],
        "mappin.and.ellipse": [
            "  ╭─╮  ",
            "  ╰┬╯  ",
            "   │   ",
            " ( ╵ ) ",
        ],
        "checkmark.circle": [
            "╭─────╮",
            "│   ╱ │",
            "│ ╲╱  │",
            "╰─────╯",
        ],
        "calendar": [
            "┌┴───┴┐",
            "├─────┤",
            "│▪ ▪ ▪│",
            "└─────┘",
        ],
        "calendar.badge.clock": [
            "┌┴───┴┐",
            "├─────┤",
            "│▪ ▪╭╷╮",
            "└───╰─╯",
        ],
        "truck.box.fill": [
            "┏━━━━┳━┓ ",
            "┃    ┃ ┗┓",
            "┗◉━━━┻━◉┛",
        ],
        "dollarsign.circle": [
            "╭─────╮",
            "│  $  │",
            "│  $  │",
            "╰─────╯",
        ],
    ]

    /// Returns the rows of a symbol, empty if there is no drawing of it.
    static func rows(of symbolName: String) -> [String] { pictures[symbolName] ?? [] }
}
