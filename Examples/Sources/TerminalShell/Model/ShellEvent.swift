// SPDX-License-Identifier: Apache-2.0

/// An event that the shell handles.
enum ShellEvent: Sendable, Equatable {
    case key(Key)
    case mouse(MouseTouch)
    case resize(ScreenSize)
    /// A line typed in the plain mode.
    case line(String)
    /// The facts about the session have changed.
    case facts(ShellFacts)
    /// The request for the jobs has ended.
    case jobs(JobsResponse)
    /// A retry has ended, with the current facts.
    case retryEnded(ShellFacts)
    /// The sign-in continues at this address, which the user opens if no browser does.
    case address(String)
    /// The sign-in has ended, with or without success.
    case signInEnded
    /// A step of the animation.
    case tick
    /// The next periodic request to the server is due.
    case checkDue
    /// A signal or the end of the input ends the program, with an exit code.
    case interrupt(Int32)

    /// Whether the event is an input of the user.
    var isFromUser: Bool {
        switch self {
        case .key, .mouse, .line: true
        default: false
        }
    }
}
