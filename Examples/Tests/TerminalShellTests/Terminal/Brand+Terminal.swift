import UmuveBrands

extension Brand {
    /// The name of the app's program for the terminal.
    var executable: String { self == .driver ? "umuve-pro" : "umuve" }

    /// What the main screen opens with.
    var greeting: String { self == .driver ? "Jobs nearby" : "Hello, \(ShellStage.person)." }
}
