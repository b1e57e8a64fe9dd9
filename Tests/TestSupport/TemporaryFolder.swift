public import Foundation

/// A folder of mode 0700 with a random, short name: paths of sockets may have 107 bytes.
public struct TemporaryFolder: Sendable {
    /// Where it is.
    public let url: URL

    /// Makes the folder.
    ///
    /// - Throws: What the file system says.
    public init() throws {
        let name = "sallyport-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try Self.make(url)
    }

    /// Makes a folder of mode 0700 inside.
    ///
    /// - Parameter name: Its name, or a path of names.
    /// - Returns: Where it is.
    /// - Throws: What the file system says.
    public func folder(_ name: String) throws -> URL {
        let folder = url.appendingPathComponent(name)
        try Self.make(folder)
        return folder
    }

    /// All files in it, at any depth, that hold the given bytes.
    ///
    /// - Parameter bytes: What to look for.
    /// - Returns: The files' paths.
    public func files(containing bytes: Data) -> [String] {
        let paths = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { path in
            let content = try? Data(contentsOf: url.appendingPathComponent(path))
            return content?.range(of: bytes) != nil
        }
    }

    /// Removes the folder with all that is in it.
    public func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    private static func make(_ url: URL) throws {
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }
}
