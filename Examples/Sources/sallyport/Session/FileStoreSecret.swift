// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SecureStore
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The secret of the encrypted file: a key, or else a passphrase.
///
/// The key is that of `--key-file`, or else the systemd credential `sallyport-key`. The passphrase comes from
/// `SALLYPORT_PASSPHRASE`, from a command, from the credential `sallyport-passphrase`, or from the terminal.
struct FileStoreSecret: Sendable {
    let keyFile: String?
    /// Whether the kernel keeps the key that is derived from a passphrase, for the next commands.
    let keepsDerivedKey: Bool

    /// The passphrase that this command has used; in a refresh process the one that the command has handed over.
    static let last = Mutex<Passphrase?>(nil)

    private static let (keyCredential, passphraseCredential) = ("sallyport-key", "sallyport-passphrase")

    /// Returns the store.
    ///
    /// - Parameters:
    ///   - prompting: Whether the user may be asked.
    ///   - isNew: Whether a passphrase that the user types is asked for twice.
    /// - Throws: ``Failure`` if there is no passphrase; `SecureStoreError`.
    func store(of scope: StoreScope, prompting: Bool, isNew: Bool) throws -> EncryptedFileStore {
        let deadline = Duration.seconds(60)
        if let keyFile { return EncryptedFileStore(scope: scope, key: try FileKey(file: keyFile), deadline: deadline) }
        if Self.hasCredential(Self.keyCredential) {
            let key = try FileKey(systemdCredential: Self.keyCredential)
            return EncryptedFileStore(scope: scope, key: key, deadline: deadline)
        }
        let known = RefreshProcess.isThis ? Self.last.withLock { $0 } : nil
        let passphrase = try known ?? Self.passphrase(prompting: prompting, isNew: isNew)
        Self.last.withLock { $0 = passphrase }
        return EncryptedFileStore(scope: scope, keepsDerivedKey: keepsDerivedKey, deadline: deadline) { passphrase }
    }

    private static func passphrase(prompting: Bool, isNew: Bool) throws -> Passphrase {
        let environment = ProcessInfo.processInfo.environment
        if let text = environment["SALLYPORT_PASSPHRASE"] { return try Passphrase(text) }
        if let command = environment["SALLYPORT_PASSPHRASE_COMMAND"], !command.isEmpty {
            return try Passphrase(firstLine(of: command))
        }
        if hasCredential(passphraseCredential) { return try Passphrase(systemdCredential: passphraseCredential) }
        let advice = "Set SALLYPORT_PASSPHRASE."
        guard prompting else {
            throw Failure(
                .storeUnavailable,
                "The session is in the encrypted file, and SALLYPORT_PASSPHRASE is not set.",
                advice
            )
        }
        let text = try StandardInput.askHidden("Passphrase of the encrypted file:", instead: advice)
        let passphrase = try Passphrase(text)
        if isNew {
            let again = try StandardInput.askHidden("The same passphrase again:", instead: advice)
            // The bytes count: strings are equal too if they only look the same.
            guard again.utf8.elementsEqual(text.utf8) else {
                throw Failure(.wrongArguments, "The two passphrases are different.", "Try again.")
            }
        }
        return passphrase
    }

    private static func hasCredential(_ name: String) -> Bool {
        guard let folder = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
            return false
        }
        return unsafe access("\(folder)/\(name)", F_OK) == 0
    }

    /// Returns the first line that a shell command prints.
    ///
    /// Secret. The command may ask the user itself: it has the tool's terminal, and Ctrl-C ends both.
    private static func firstLine(of command: String) throws -> String {
        let failure = Failure(
            .storeUnavailable,
            "SALLYPORT_PASSPHRASE_COMMAND gave no passphrase.",
            "Run the command by hand: it must print the passphrase and exit with 0."
        )
        guard let pipe = unsafe popen(command, "r") else { throw failure }
        let output: [UInt8]
        do {
            output = try StandardInput.readAll(from: unsafe fileno(pipe))
        } catch {
            unsafe pclose(pipe)
            throw error
        }
        // Bytes that are no text would become fewer different characters.
        guard unsafe pclose(pipe) == 0,
            let line = String(validating: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        else { throw failure }
        return line
    }
}
