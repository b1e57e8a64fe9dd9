/// One page of an onboarding: a symbol, a title and a line of text.
public struct OnboardingPage: Sendable, Hashable {
    /// The name of an SF symbol; an interface without SF symbols draws a picture of its own, or no picture.
    public let symbolName: String
    /// The title.
    public let title: String
    /// The line below the title.
    public let text: String

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - symbolName: The name of an SF symbol.
    ///   - title: The title.
    ///   - text: The line below the title.
    public init(symbolName: String, title: String, text: String) {
        self.symbolName = symbolName
        self.title = title
        self.text = text
    }
}
