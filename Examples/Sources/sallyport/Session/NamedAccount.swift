// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuthCore
import FoundationEssentials
import OpenIDConnect
import SecureStore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A provider and a client there, to which a file of the administrator's or the user's gives a name.
///
/// The file `NAME.json` is an object with `issuer` and `client_id`, and if needed `scope` and `provider`, the name of the
/// known provider whose rules hold. Any other member is refused, so that a slip shows.
struct NamedAccount {
    let issuer: String
    let clientID: String
    let scope: String?
    let provider: ProviderName?

    /// The folders of the administrator's and the user's files, in a sentence.
    static let folders = "/etc/sallyport/providers.d or ~/.config/sallyport/providers.d"

    /// Returns the account of a name; nil if no file has it.
    ///
    /// The administrator's file wins: any program of the user's, and any copied home folder, could otherwise lead a name
    /// that the users of a machine are told to use to another issuer. A note names the user's file.
    ///
    /// - Throws: ``Failure`` for a file that can't be used. The other file of the name doesn't replace it.
    static func named(_ name: String) throws -> NamedAccount? {
        guard (try? StoreKey(name)) != nil else { return nil }
        guard let account = try Folder.system.account(name) else { return try Folder.user?.account(name) }
        if let user = Folder.user, user.has(name) { Terminal.note(user.shadowNote(name)) }
        return account
    }

    /// Parses a file.
    ///
    /// - Throws: ``Fault``.
    private init(parsing bytes: [UInt8], named name: String) throws {
        guard let members = try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes)) else {
            throw Fault("it is not a JSON object")
        }
        for (member, value) in members.sorted(by: { $0.key < $1.key }) {
            guard ["issuer", "client_id", "scope", "provider"].contains(member), value.string != nil else {
                throw Fault("its member \(Terminal.shown(member, limit: 40) ?? "“”") is unknown or not a string")
            }
        }
        guard let issuer = members["issuer"]?.string, let clientID = members["client_id"]?.string else {
            throw Fault("it has no issuer or no client_id")
        }
        (self.issuer, self.clientID, scope) = (issuer, clientID, members["scope"]?.string)
        do { try scope.map { try Scope.check($0) } } catch {
            throw Fault("its scope is not a list of scopes with spaces between them")
        }
        let known = ProviderName(rawValue: name)
        provider =
            try members["provider"]?.string.map { text in
                guard let provider = ProviderName(rawValue: text) else { throw Fault("its provider is unknown") }
                return provider
            } ?? known
        guard (try? ProviderAddress(provider, issuer, tenant: nil)) != nil else {
            throw Fault("its issuer is not an https address, or not one of its provider")
        }
        // Nobody expects the name of a provider to lead elsewhere.
        let isOwn = known?.address == nil || (try? Issuer(issuer))?.profile.name == name
        guard known == nil || provider == known && isOwn else {
            throw Fault("its name is a known provider's, and its issuer is not")
        }
    }

    private typealias Fault = TrustedFolder.Fault

    /// A folder of such files.
    struct Folder {
        private let files: TrustedFolder
        private let advice: String

        static let system = Folder("/etc", forbiddenMode: 0o022, "Ask the administrator to correct it.")

        /// The user's folder; nil without a home folder.
        static var user: Folder? {
            let environment = ProcessInfo.processInfo.environment
            let absolute = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
            let parent = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map { "\($0)/.config" }
            return parent.map { Folder($0, forbiddenMode: 0o002, "Correct it, or remove it.") }
        }

        private init(_ parent: String, forbiddenMode: mode_t, _ advice: String) {
            files = TrustedFolder(path: "\(parent)/sallyport/providers.d", forbiddenMode: forbiddenMode)
            self.advice = advice
        }

        /// The names that have a file, in order; at most 64, for a report.
        var names: [String] {
            let found = (try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? []
            return Array(found.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted().prefix(64))
        }

        /// Returns whether there is a file of the name, or a link to one that may be missing.
        func has(_ name: String) -> Bool {
            unsafe faccessat(AT_FDCWD, "\(files.path)/\(name).json", F_OK, AT_SYMLINK_NOFOLLOW) == 0
        }

        func path(of name: String) -> String { Terminal.shown("\(files.path)/\(name).json") ?? "" }

        /// The sentence about a file of the user's whose name the administrator's has.
        func shadowNote(_ name: String) -> String {
            "The file \(path(of: name)) is not used: \(Folder.system.path(of: name)) has the same name."
        }

        /// Returns the account of a file; nil if there is no such file.
        ///
        /// - Throws: ``Failure``.
        func account(_ name: String) throws -> NamedAccount? {
            do {
                guard (try? StoreKey(name)) != nil else {
                    throw Fault("its name has a character that no name may have")
                }
                return try files.contents(of: "\(name).json").map { try NamedAccount(parsing: $0, named: name) }
            } catch let fault as Fault {
                throw Failure(.wrongArguments, "The file \(path(of: name)) can't be used: \(fault.reason).", advice)
            }
        }
    }
}
