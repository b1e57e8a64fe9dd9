import UmuveBrands

extension Brand {
    /// The name of the app's program for the terminal.
    var executable: String { self == .driver ? "umuve-pro" : "umuve" }

    /// The greeting on the main screen.
    var greeting: String { self == .driver ? "Jobs nearby" : "Hello, \(ShellStage.userName)." }
}
