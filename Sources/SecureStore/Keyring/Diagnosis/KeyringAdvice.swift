#if Keyring && canImport(CSecretService)
/// What mends a keyring that can't be used.
struct KeyringAdvice {
    let advice: String
    let command: String?

    /// Starts a keyring, or unlocks it: a daemon that the bus has started meanwhile is locked, and is replaced.
    ///
    /// The password without the newline that would become part of it, typed unseen.
    private static let daemon =
        "read -rsp 'Password: ' P && printf %s \"$P\" | gnome-keyring-daemon --replace --unlock --components=secrets --daemonize"

    /// What to do.
    ///
    /// - Parameters:
    ///   - code: What is wrong.
    ///   - program: What keeps the items, where it can be seen.
    ///   - sandbox: What stands between this program and the bus.
    init?(_ code: SecureStoreError.Code, program: KeyringProgram?, sandbox: Sandbox?) {
        let provider = program?.name
        let isGNOME = provider?.hasPrefix("gnome-keyring") ?? true
        switch code {
        case .locked where isGNOME:
            self.init("Unlock it in the desktop's password settings, or with this command.", Self.daemon)
        case .locked:
            self.init("Unlock it in the window of \(provider ?? "the keyring").")
        case .noSessionBus:
            self.init(
                "Run this inside a desktop session, or in a shell with a bus of its own.",
                "dbus-run-session -- bash"
            )
        case .noProvider:
            self.init("Install a keyring service, gnome-keyring for one, and start it.", Self.daemon)
        case .noCollection where isGNOME:
            self.init("Make the default keyring, with a password for it.", Self.daemon)
        case .noCollection:
            self.init("Make a default keyring in \(provider ?? "the keyring service").")
        case .timedOut where program == nil:
            self.init("The session bus does not answer; start a new one.", "dbus-run-session -- bash")
        case .timedOut:
            self.init(
                "The keyring service hangs; end it, and it is started anew.",
                program.map { "kill -KILL \($0.process)" }
            )
        case .denied:
            self.init("Run this as the user whose session it is, and without sudo.")
        case .sandboxed:
            self.init("Let the sandbox talk to the keyring.", sandbox?.command)
        case .full:
            self.init("Make room on the disk that holds the home folder.", "df -h \"$HOME\"")
        default:
            return nil
        }
    }

    private init(_ advice: String, _ command: String? = nil) {
        self.advice = advice
        self.command = command
    }
}
#endif
