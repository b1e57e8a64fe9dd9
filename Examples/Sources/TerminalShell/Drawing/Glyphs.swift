// SPDX-License-Identifier: Apache-2.0

/// The characters for drawing, beside letters.
struct Glyphs: Sendable, Hashable {
    let dot: String
    let emptyDot: String
    /// A character of a password.
    let bullet: String
    let ellipsis: String
    let arrows: String
    let spinner: [String]
    /// Whether pictures and the large wordmark can be drawn.
    let hasPictures: Bool
    /// Whether the screen has enough colours for gradients.
    var hasGradients = false

    /// The glyphs for a terminal with a Unicode locale.
    static let unicode = Glyphs(
        dot: "●",
        emptyDot: "○",
        bullet: "•",
        ellipsis: "…",
        arrows: "←/→",
        spinner: ["⠋", "⠙", "⠸", "⠴", "⠦", "⠇"],
        hasPictures: true
    )

    /// The glyphs for any other terminal.
    static let ascii = Glyphs(
        dot: "*",
        emptyDot: "o",
        bullet: "*",
        ellipsis: "...",
        arrows: "<-/->",
        spinner: ["|", "/", "-", "\\"],
        hasPictures: false
    )
}
