// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
import AuthSession
import AuthUI
import CAdwaita
import Foundation
public import UmuveBrands

/// The common part of the brands' executables.
public enum DesktopProgram {
    /// Returns the configuration of a brand's command.
    public nonisolated static func configuration(_ name: String, of brand: Brand) -> CommandConfiguration {
        CommandConfiguration(
            commandName: name,
            abstract: "\(brand.name) on the desktop.",
            discussion: """
                BROWSER names the browser; the default is the system's. UMUVE_API_KEY is the API key of the backend that \
                --backend names, if it requires one. Exit codes: 0 quit, 1 failed, 2 wrong arguments, 128 and more ended \
                by a signal.
                """
        )
    }

    /// Shows the app until the user quits, and ends the process.
    ///
    /// Exit codes: 0 if the user quit; 1 if it failed, for example without a display; 2 if the arguments are invalid;
    /// 128 plus the number of the signal that ended it.
    public static func main(_ name: String, _ brand: Brand, _ command: (some DesktopCommand).Type) {
        let options: DesktopOptions
        let application: Application
        let launch: Launch
        do {
            var parsed = try command.parseAsRoot()
            guard let app = parsed as? any DesktopCommand else {
                // The help, which throws itself.
                try parsed.run()
                command.exit()
            }
            options = app.options
            erase(options.addresses)
            // Before the launch, which writes files.
            guard gtk_init_check() != 0 else {
                return end("There is no display here. \(brand.name) needs DISPLAY or WAYLAND_DISPLAY.", 1)
            }
            application = Application(id: options.applicationID(of: brand), title: brand.name)
            // Another process runs the app, and gets the addresses.
            guard application.isFirst else { exit(application.run(name, options.addresses)) }
            launch = try Launch(brand, options)
        } catch {
            let code = command.exitCode(for: error)
            guard code != .success else { command.exit(withError: error) }
            return end(command.fullMessage(for: error), code == .validationFailure ? 2 : 1)
        }
        application.content = {
            StyleSheet.install(brand.palette)
            return LaunchScreen(launch).widget
        }
        application.started = { Task { await launch.run() } }
        // Shows whether the server can be reached. Sends nothing before the session is restored.
        application.activated = { Task { await launch.model?.manager.session.validate() } }
        application.opened = { launch.open($0) }
        application.finishWork = {
            guard await launch.model?.finishWork() == false else { return 0 }
            write("The sign-out did not finish. Start the app again to check it.")
            return 1
        }
        exit(application.run(name, options.addresses))
    }

    /// Erases addresses in the arguments, which all users of the machine can read: a response contains its code.
    private static func erase(_ addresses: [String]) {
        for index in 0..<Int(CommandLine.argc) {
            guard let word = unsafe CommandLine.unsafeArgv[index], addresses.contains(unsafe String(cString: word))
            else {
                continue
            }
            // Safe: writes over the characters that the line above has read, and no others.
            unsafe explicit_bzero(word, strlen(word))
        }
    }

    private static func end(_ message: String, _ code: Int32) {
        write(message)
        exit(code)
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}

/// A brand's command, which only has the options.
public protocol DesktopCommand: ParsableCommand {
    var options: DesktopOptions { get }
}
