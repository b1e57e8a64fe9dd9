/// The characters that the shell draws with beside letters.
struct Glyphs: Sendable, Hashable {
    let dot: String
    let emptyDot: String
    let ellipsis: String
    let arrows: String
    let spinner: [String]
    /// Whether pictures and the large wordmark can be drawn.
    let hasPictures: Bool

    /// For a terminal whose locale is Unicode.
    static let unicode = Glyphs(
        dot: "●",
        emptyDot: "○",
        ellipsis: "…",
        arrows: "←/→",
        spinner: ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"],
        hasPictures: true
    )

    /// For any other.
    static let ascii = Glyphs(
        dot: "*",
        emptyDot: "o",
        ellipsis: "...",
        arrows: "<-/->",
        spinner: ["|", "/", "-", "\\"],
        hasPictures: false
    )
}
