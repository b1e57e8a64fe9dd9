// SPDX-License-Identifier: Apache-2.0

/// One page of an onboarding: a symbol, a title and a line of text.
public struct OnboardingPage: Sendable, Hashable {
    /// The name of an SF symbol; an interface without SF symbols draws a picture of its own, or no picture.
    public let symbolName: String
    public let title: String
    /// The line below the title.
    public let text: String
    /// The gradient behind the symbol's circle, or nil if the symbol has neither.
    ///
    /// Its start is also the color of the symbol, which must be readable on white.
    public let gradient: ColorGradient?

    /// Creates a page.
    public init(symbolName: String, title: String, text: String, gradient: ColorGradient? = nil) {
        self.symbolName = symbolName
        self.title = title
        self.text = text
        self.gradient = gradient
    }
}
