// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import BackendTestSupport
import Foundation
import ReferenceBackend
import SharedTestSupport
import Testing

extension ShellStage {
    /// The one-time codes with which the backend sent browsers back.
    var oneTimeCodes: [String] { issued.all.filter { $0.kind == .oneTimeCode }.map(\.rawValue) }

    /// The paths of all files of the stage that hold a one-time code.
    var filesWithOneTimeCodes: [String] {
        oneTimeCodes.flatMap { code in
            folder.files(containing: Data(code.utf8))
                + filesAtHome.filter { path in
                    let content = try? Data(contentsOf: home.appending(path: path))
                    return content?.range(of: Data(code.utf8)) != nil
                }
        }
    }

    /// Opens an address with the system's opener.
    func open(_ address: String, _ more: [String: String]) async throws -> Command.Output {
        try await Command("xdg-open", [address], environment: environment.merging(more) { $1 }).run()
    }

    /// Runs the script that plays the user in the browser, until the system has opened the address at its end.
    ///
    /// - Parameters:
    ///   - address: The address that the browser opens.
    ///   - more: Additional environment variables.
    ///   - name: A file for the address at the end; nil for none.
    /// - Returns: The output of the script and of the program that was opened.
    /// - Throws: An error if the script can't be started.
    func browse(
        to address: String,
        _ more: [String: String],
        keepingIn name: String? = nil
    ) async throws -> Command.Output {
        var environment = environment.merging(more) { $1 }
        if let name {
            let real = try #require(Executable.find("xdg-open")).path
            let wrapper = try folder.folder("bin").appending(path: "xdg-open")
            let file = folder.url.appending(path: name).path
            try "#!/bin/sh\nprintf %s \"$1\" >'\(file)'\nexec \(real) \"$1\"\n"
                .write(to: wrapper, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: wrapper.path)
            environment["PATH"] = "\(wrapper.deletingLastPathComponent().path):\(environment["PATH"] ?? "")"
        }
        return try await Command(Self.browser, [address], environment: environment).run()
    }

    /// Starts a real browser that presses the button at the stand-in for Apple, and stays open.
    ///
    /// - Parameters:
    ///   - address: The address that the browser opens.
    ///   - more: Additional environment variables.
    /// - Returns: The browser.
    /// - Throws: An error if it can't be started.
    func startChromium(at address: String, _ more: [String: String]) throws -> RunningProcess {
        var process = ChildProcess()
        process.executableURL =
            URL(filePath: #filePath)
            .appending(path: "../../../Support/providers/chromium-person").standardizedFileURL
        process.arguments = [address]
        let origins = [self.address, "http://127.0.0.1:\(backend.applePort ?? 0)"].joined(separator: " ")
        process.environment = environment.merging(more) { $1 }.merging(
            ["PERSON_APP": "com.goumuve.app \(origins)", "PERSON_TIMEOUT": "60"]
        ) { $1 }
        return try RunningProcess(process)
    }
}

extension TerminalSession {
    /// Goes from the first launch to a sign-in that waits for the browser.
    ///
    /// - Parameter hasOnboarding: Whether it is the first launch.
    /// - Returns: The address that the browser is to open.
    /// - Throws: ``TerminalError`` with the screen.
    func beginSignIn(hasOnboarding: Bool = true) async throws -> String {
        if hasOnboarding { try await skipOnboarding() } else { try await wait(for: Self.signInButton) }
        try await press("Enter")
        let words = try await wait(for: "[ Cancel ]", below: "No browser? Open on this machine:")
        return try #require(words.components(separatedBy: " [ Cancel ]").first).filter { $0 != " " }
    }
}
#endif
