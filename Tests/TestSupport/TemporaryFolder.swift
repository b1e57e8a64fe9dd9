// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A folder of mode 0700 with a random name, short because a socket's path may have at most 107 bytes.
public struct TemporaryFolder: Sendable {
    /// The folder's URL.
    public let url: URL

    /// Creates the folder.
    ///
    /// - Throws: The file system's error.
    public init() throws {
        let name = "sallyport-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        url = FileManager.default.temporaryDirectory.appendingPathComponent(name)
        try Self.make(url)
    }

    /// Creates a subfolder of mode 0700.
    ///
    /// - Parameter name: Its name, or a relative path.
    /// - Returns: The subfolder's URL.
    /// - Throws: The file system's error.
    public func folder(_ name: String) throws -> URL {
        let folder = url.appendingPathComponent(name)
        try Self.make(folder)
        return folder
    }

    /// Returns the files in the folder, at any depth, that contain the given bytes.
    ///
    /// - Parameter bytes: The bytes to find.
    /// - Returns: The paths of the files, relative to the folder.
    public func files(containing bytes: Data) -> [String] {
        let paths = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { path in
            let content = try? Data(contentsOf: url.appendingPathComponent(path))
            return content.map { Self.occurs(bytes, in: $0) } ?? false
        }
    }

    /// Removes the folder and its content.
    public func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Says whether the bytes occur in the content.
    ///
    /// A twentieth of the time of all tests went into `range(of:)`.
    private static func occurs(_ bytes: Data, in content: Data) -> Bool {
        guard !bytes.isEmpty else { return false }
        return unsafe content.withUnsafeBytes { content in
            unsafe bytes.withUnsafeBytes { bytes in
                guard var place = content.baseAddress, let wanted = bytes.baseAddress else { return false }
                let end = unsafe place + content.count
                while unsafe end - place >= bytes.count,
                    let first = unsafe memchr(place, Int32(bytes[0]), end - place - bytes.count + 1)
                {
                    if unsafe memcmp(first, wanted, bytes.count) == 0 { return true }
                    unsafe place = UnsafeRawPointer(first) + 1
                }
                return false
            }
        }
    }

    private static func make(_ url: URL) throws {
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }
}
