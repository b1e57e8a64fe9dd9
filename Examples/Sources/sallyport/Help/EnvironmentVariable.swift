// SPDX-License-Identifier: Apache-2.0

/// An environment variable that the tool reads, for the man page.
struct EnvironmentVariable: Sendable {
    let name: String
    let meaning: String

    static let all = [
        EnvironmentVariable(
            name: "BROWSER",
            meaning: "The command that opens an address, which is its last argument. By default the system's opener."
        ),
        EnvironmentVariable(name: "NO_COLOR", meaning: "Any nonempty value turns colours off."),
        EnvironmentVariable(
            name: "SALLYPORT_API_KEY",
            meaning: "The app's API key, if the backend requires one. Only login reads it."
        ),
        EnvironmentVariable(name: "SALLYPORT_PASSPHRASE", meaning: "The passphrase of the encrypted file."),
        EnvironmentVariable(name: "SALLYPORT_PROFILE", meaning: "The profile, if no option names one."),
    ]
}
