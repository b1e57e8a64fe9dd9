/// What happens to the shell.
enum ShellEvent: Sendable, Equatable {
    case key(Key)
    case mouse(MouseTouch)
    case resize(ScreenSize)
    /// A line that was typed in the plain mode.
    case line(String)
    /// What is known of the session has changed.
    case facts(ShellFacts)
    /// The asking for the jobs is over.
    case jobs(JobsAnswer)
    /// Another try is over; with what is known since.
    case retryEnded(ShellFacts)
    /// The sign-in goes on at this address, which the person is to open where no browser does.
    case address(String)
    /// The sign-in is over, whatever became of it.
    case signInEnded
    /// A step of the motion while something is waited for.
    case tick
    /// It is time to ask the server again.
    case checkDue
    /// A signal or the end of the input ends the program, with an exit code.
    case interrupt(Int32)

    /// Whether the person did it.
    var isPersons: Bool {
        switch self {
        case .key, .mouse, .line: true
        default: false
        }
    }
}
