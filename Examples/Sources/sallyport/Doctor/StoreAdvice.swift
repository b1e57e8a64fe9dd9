// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SecureStore
import TerminalOutput

/// The remedy for a store that can't be used: a sentence, and the command that solves the problem, if there is one.
struct StoreAdvice {
    let sentence: String
    let command: String?

    private init(_ sentence: String, _ command: String? = nil) {
        (self.sentence, self.command) = (sentence, command)
    }
}

#if canImport(CGIO)
extension StoreAdvice {
    /// The command that starts or unlocks a keyring.
    ///
    /// It replaces a daemon that the bus has started meanwhile, because that one is locked. The password is typed
    /// unseen, and passed without the newline that would become part of it.
    private static let daemon =
        "read -rsp 'Password: ' P && printf %s \"$P\" | "
        + "gnome-keyring-daemon --replace --unlock --components=secrets --daemonize"

    /// Chooses the advice for a keyring; nil if there is no remedy to offer.
    init?(_ problem: SecureStoreError, program: KeyringProgram?) {
        let provider = program?.name
        let isGNOME = provider?.hasPrefix("gnome-keyring") ?? true
        switch problem.code {
        case .locked where isGNOME:
            self.init("Unlock it in the desktop's password settings, or run this command.", Self.daemon)
        case .locked:
            self.init("Unlock it in \(provider ?? "the keyring").")
        case .noSessionBus:
            self.init(
                "Run this in a desktop session, or in a shell with its own session bus.",
                "dbus-run-session -- bash"
            )
        case .noProvider:
            self.init("Install a keyring service, such as gnome-keyring, and start it.", Self.daemon)
        case .noCollection where isGNOME:
            self.init("Create the default keyring and set a password for it.", Self.daemon)
        case .noCollection:
            self.init("Create a default keyring in \(provider ?? "the keyring service").")
        case .timedOut where program == nil:
            self.init(
                "The session bus, or the keyring service that it starts, does not respond; start a new bus.",
                "dbus-run-session -- bash"
            )
        case .timedOut:
            self.init(
                "The keyring service hangs; end it, and it restarts.",
                program.map { "kill -KILL \($0.process)" }
            )
        case .denied:
            self.init("Run this as the session's user, without sudo.")
        case .sandboxed:
            self.init("Allow the sandbox to access the keyring.", Self.sandboxCommand)
        case .full:
            self.init("Free some disk space for the home folder.", "df -h \"$HOME\"")
        default:
            return nil
        }
    }

    /// The command that lets the sandboxed program use the keyring.
    private static var sandboxCommand: String {
        let environment = ProcessInfo.processInfo.environment
        if FileManager.default.fileExists(atPath: "/.flatpak-info") {
            let app = ShellWord.quoted(environment["FLATPAK_ID"] ?? "APPLICATION-ID")
            return "flatpak override --user --talk-name=org.freedesktop.secrets \(app)"
        }
        return "snap connect \(ShellWord.quoted(environment["SNAP_NAME"] ?? "SNAP-NAME")):password-manager-service"
    }
}
#endif

extension StoreAdvice {
    /// Chooses the advice for an encrypted file; nil if there is no remedy to offer.
    init?(_ problem: SecureStoreError, file path: String) {
        let folder = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        if let found = FolderCheckup.problem(in: problem.detail) {
            self.init(found.advice, found.command)
            return
        }
        switch problem.code {
        case .wrongPassphrase:
            self.init("Use the file's own passphrase or key. If it is lost, remove the file and sign out.")
        case .damaged:
            self.init(
                "Move the file away, and sign in again.",
                "mv -- \(ShellWord.quoted(path)) \(ShellWord.quoted(path + ".damaged"))"
            )
        case .newerFormat:
            self.init("Update this program: a newer version of it wrote the file.")
        case .denied:
            self.init(
                "The file and its folder must belong to you and must not be links.",
                "ls -ld -- \(ShellWord.quoted(folder)) \(ShellWord.quoted(path))"
            )
        case .full:
            self.init("Free some disk space.", "df -h -- \(ShellWord.quoted(folder))")
        case .timedOut, .busy:
            self.init("Try again.")
        default:
            return nil
        }
    }
}
