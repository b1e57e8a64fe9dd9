// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
public import SecureStore

/// The record of the store that keeps a session, for a program that offers several.
///
/// It is a file of the session's account with the store's name, in `$XDG_STATE_HOME/sallyport/profiles/<service>`, by
/// default below `~/.local/state`, on Apple systems below `~/Library/Application Support`, or in the scope's shared
/// folder. In a Flatpak that sets no `XDG_STATE_HOME`, it is below `.local/state` beside `$XDG_DATA_HOME`. It holds no
/// secret.
public struct StoreRecord: Sendable {
    private let scope: StoreScope

    private static let ending = ".store"

    /// Describes the record of a session, which may not exist.
    public init(of scope: StoreScope) {
        self.scope = scope
    }

    /// Returns the store's name; nil if the session is not kept in any.
    ///
    /// - Throws: `SecureStoreError` (`denied` without a home folder; `failed`).
    public func read() throws -> String? {
        let path = try path()
        guard let data = try Self.found(path, { try Data(contentsOf: URL(filePath: path)) }) else { return nil }
        return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
    }

    /// Returns the store; nil if the session is not kept in any.
    ///
    /// - Throws: `SecureStoreError` (`damaged` for the name of no store; as ``read()``).
    public func choice<Choice: RawRepresentable<String>>(of _: Choice.Type = Choice.self) throws -> Choice? {
        try read().map { name in
            guard let choice = Choice(rawValue: name) else {
                throw SecureStoreError(.damaged, detail: "\(try path()), the record of the session's store")
            }
            return choice
        }
    }

    /// Writes the store's name in one step, or removes the record.
    func write(_ name: String?) throws {
        let path = try path()
        do {
            guard let name else {
                guard FileManager.default.fileExists(atPath: path) else { return }
                return try FileManager.default.removeItem(atPath: path)
            }
            try FileManager.default.createDirectory(
                atPath: Self.folder(of: scope),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try Data("\(name)\n".utf8).write(to: URL(filePath: path), options: .atomic)
        } catch let error as CocoaError {
            let isDenied = [.fileWriteNoPermission, .fileWriteVolumeReadOnly].contains(error.code)
            throw SecureStoreError(isDenied ? .denied : .failed, detail: "\(path) can't be written")
        }
    }

    /// Reads a file or a folder; nil if it does not exist, which one in a folder that can't be searched may do.
    private static func found<Content>(_ path: String, _ read: () throws -> Content) throws -> Content? {
        do {
            return try read()
        } catch let error as CocoaError {
            if [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code) { return nil }
            throw SecureStoreError(.denied, detail: "\(path) can't be read")
        }
    }

    /// Returns the scopes of a service that have a record, by account; opens no store.
    ///
    /// - Throws: `SecureStoreError` (`denied` if the records can't be listed).
    public static func scopes(of service: String, in shared: SharedFolder? = nil) throws -> [StoreScope] {
        let folder = try folder(of: StoreScope(service: service, sharedFolder: shared))
        let names = try found(folder) { try FileManager.default.contentsOfDirectory(atPath: folder) } ?? []
        return names.filter { $0.hasSuffix(ending) }.compactMap {
            try? StoreScope(service: service, account: String($0.dropLast(ending.count)), sharedFolder: shared)
        }.sorted { $0.account < $1.account }
    }

    private func path() throws -> String { try path(ending: Self.ending) }

    /// Returns the path of a file about the session beside the record; the file may not exist.
    ///
    /// - Throws: `SecureStoreError` (`denied` without a home folder).
    public func path(ending: String) throws -> String {
        "\(try Self.folder(of: scope))/\(scope.account)\(ending)"
    }

    /// Returns the folder of a service's records, by the rule of SecureStore's `UserFolder.path(.state)`, but without
    /// that of a Snap and without the user database.
    static func folder(
        of scope: StoreScope,
        isInFlatpak: Bool = FileManager.default.fileExists(atPath: "/.flatpak-info")
    ) throws -> String {
        let service = scope.service
        if let shared = scope.sharedFolder { return "\(shared.path)/sallyport/profiles/\(service)" }
        let environment = ProcessInfo.processInfo.environment
        #if canImport(Darwin)
        let inHome = "Library/Application Support"
        #else
        let inHome = ".local/state"
        #endif
        func absolute(_ variable: String) -> String? { environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        // An older Flatpak does not set XDG_STATE_HOME, and may have an empty home at each start.
        let data = isInFlatpak ? absolute("XDG_DATA_HOME") : nil
        let home = data.map { URL(filePath: $0).deletingLastPathComponent().path } ?? absolute("HOME")
        guard let state = absolute("XDG_STATE_HOME") ?? home.map({ "\($0)/\(inHome)" }) else {
            throw SecureStoreError(.denied, detail: "no home folder")
        }
        return "\(state)/sallyport/profiles/\(service)"
    }
}
