// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FoundationEssentials
import SecureStore
import SessionStores

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The arguments of a profile's last `sallyport login` that kept a session, by which `login` without NAME repeats it.
///
/// They are a JSON array in a file beside the record of the profile's store, and stay after a sign-out. They hold no
/// secret: a sign-in with `--param`, whose value may be one, is not kept.
struct LastSignIn {
    private let profile: String
    private let folder: TrustedFolder
    private let file: String
    private var path: String { "\(folder.path)/\(file)" }

    /// The options that concern one command and its output.
    ///
    /// They are not repeated: a later argument can't turn off a flag.
    private static let ofOneCommand = ["--json", "--password-stdin", "--print-token", "--verbose"]

    /// The options of which another one replaces that of the last sign-in.
    private static let ways = ["--device", "--paste", "--no-browser"]

    /// - Throws: `SecureStoreError` (`denied` without a home folder).
    init(of profile: String) throws {
        self.profile = profile
        let scope = try StoreScope(service: SessionLocation.service, account: profile)
        let url = URL(filePath: try StoreRecord(of: scope).path(ending: ".login"))
        folder = TrustedFolder(path: url.deletingLastPathComponent().path, forbiddenMode: 0o022)
        file = url.lastPathComponent
    }

    /// Replaces the arguments; a failure is a note, because the session is kept.
    func save(_ words: [String]) {
        // `--` is left out, because options are appended.
        let words = words.filter { $0 != "--" && !Self.ofOneCommand.contains($0) }
        do {
            let data = try JSONEncoder().encode(words)
            guard data.count <= TrustedFolder.limit else { throw TrustedFolder.Fault("it is larger than 16 KiB") }
            try data.write(to: URL(filePath: path), options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            remove(because: "the file \(shownPath) can't be written")
        }
    }

    /// Removes the file, and prints a note: an older file would repeat another sign-in.
    func remove(because reason: String) {
        // A folder at this path stays, with its contents.
        _ = unsafe unlink(path)
        Terminal.note("login can't repeat this sign-in without NAME: \(reason).")
    }

    /// Returns the last sign-in's command.
    ///
    /// With other options behind its own: the last value counts; flags and repeated options add up.
    ///
    /// - Throws: ``Failure`` if there is no usable file; an error of the parser if the other options don't fit.
    func command(with others: [String]) throws -> LoginCommand {
        do {
            guard let bytes = try folder.contents(of: file) else {
                throw Failure(.wrongArguments, "This profile has no sign-in to repeat.", Self.advice)
            }
            guard var words = try? JSONDecoder().decode([String].self, from: Data(bytes)) else {
                throw TrustedFolder.Fault("it is not a JSON array of strings")
            }
            if others.contains(where: Self.ways.contains) { words.removeAll(where: Self.ways.contains) }
            do {
                return try Self.parsed(words + ["--profile=\(profile)"] + others)
            } catch {
                // If the words alone are right, the other options don't fit.
                guard (try? Self.parsed(words)) != nil else { throw Self.unusable }
                throw error
            }
        } catch let fault as TrustedFolder.Fault {
            throw Failure(.wrongArguments, "The file \(shownPath) can't be used: \(fault.reason).", Self.advice)
        }
    }

    private static func parsed(_ words: [String]) throws -> LoginCommand {
        guard let command = try Sallyport.parseAsRoot(["login"] + words) as? LoginCommand, command.namesServer else {
            throw unusable
        }
        return command
    }

    private static let unusable = TrustedFolder.Fault("it doesn't hold the arguments of a sign-in")

    private var shownPath: String { Terminal.shown(path) ?? "" }

    private static let advice = "Give NAME: a known provider, an address or an account."
}
