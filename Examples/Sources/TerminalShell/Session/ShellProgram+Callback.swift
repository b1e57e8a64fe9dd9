// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import UmuveBrands

extension ShellProgram {
    /// The configuration of the command that the system starts with an address of the app's.
    public static let callbackConfiguration = CommandConfiguration(
        commandName: "callback",
        abstract: "Take an address that the system opens the app with.",
        discussion: """
            The app that waits for it goes on with the sign-in. If none waits, this command completes the sign-in, and \
            the next start is signed in.
            """,
        shouldDisplay: false
    )

    /// Takes an address that the system opens the app with.
    ///
    /// - Parameters:
    ///   - brand: The app's brand.
    ///   - options: The command-line options of the process that began the sign-in.
    ///   - address: The address. Untrusted; may contain a one-time code, and is written nowhere.
    /// - Throws: `ValidationError` if the address or an option is invalid; `ExitCode`.
    @MainActor
    public static func callback(_ brand: Brand, _ options: ShellOptions, _ address: String) async throws {
        if try await SchemeRedirect.deliver(address, to: brand) {
            return print("\(brand.name) goes on with the sign-in.")
        }
        var options = options
        // This process has its address, and waits for no other.
        options.redirect = .loopback
        switch await (try account(brand, options)).completeSignIn(redirectedTo: address) {
        case .completed: print("You are signed in to \(brand.name). Start it to go on.")
        case .notAwaited:
            StandardError.write("No sign-in to \(brand.name) waits for this address. Nothing was changed.")
            throw ExitCode(1)
        case .failed(let sentence):
            StandardError.write(sentence)
            throw ExitCode(1)
        }
    }
}
