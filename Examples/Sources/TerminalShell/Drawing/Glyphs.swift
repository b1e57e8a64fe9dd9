/// The characters for drawing, beside letters.
struct Glyphs: Sendable, Hashable {
    let dot: String
    let emptyDot: String
    let ellipsis: String
    let arrows: String
    let spinner: [String]
    /// Whether pictures and the large wordmark can be drawn.
    let hasPictures: Bool

    /// The glyphs for a terminal with a Unicode locale.
    static let unicode = Glyphs(
        dot: "●",
        emptyDot: "○",
        ellipsis: "…",
        arrows: "←/→",
        spinner: ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"],
        hasPictures: true
    )

    /// The glyphs for any other terminal.
    static let ascii = Glyphs(
        dot: "*",
        emptyDot: "o",
        ellipsis: "...",
        arrows: "<-/->",
        spinner: ["|", "/", "-", "\\"],
        hasPictures: false
    )
}
