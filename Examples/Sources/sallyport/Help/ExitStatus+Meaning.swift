// SPDX-License-Identifier: Apache-2.0

extension ExitStatus {
    /// The exit codes and their meanings.
    private static let meanings: [(status: ExitStatus, meaning: String)] = [
        (.done, "done"),
        (.failed, "failed"),
        (.wrongArguments, "wrong arguments"),
        (.notSignedIn, "not signed in"),
        (.sessionEnded, "the session has ended, sign in again"),
        (.storeUnavailable, "the store can't be used now, or the removal of a session is pending"),
        (
            .unreachable,
            """
            the network or the server can't be reached now, or another process keeps the session from being refreshed
            """
        ),
        (.invalidResponse, "the server's response was refused as unsafe"),
        (.cancelled, "cancelled"),
    ]

    /// The sentence about the exit codes in the help.
    static var summary: String {
        "Exit codes: " + meanings.map { "\($0.status.code) \($0.meaning)" }.joined(separator: "; ") + "."
    }
}
