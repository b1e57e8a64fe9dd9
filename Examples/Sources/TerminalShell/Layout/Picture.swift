/// What a terminal draws in place of an SF symbol.
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
        "dollarsign.circle": [
            "╭─────╮",
            "│  $  │",
            "│  $  │",
            "╰─────╯",
        ],
    ]

    /// The rows of a symbol; none for one that there is no picture of.
    static func rows(of symbolName: String) -> [String] { pictures[symbolName] ?? [] }
}
