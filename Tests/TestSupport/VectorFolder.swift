// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A folder of test vectors that never change, in a test bundle.
///
/// `SHA256SUMS` in the folder lists each of them, in the format of `sha256sum`.
public struct VectorFolder: Sendable {
    private let url: URL

    /// Describes the folder `Vectors` of a bundle.
    ///
    /// - Parameter bundle: The bundle of a test target.
    public init(in bundle: Bundle) {
        url = bundle.bundleURL.appendingPathComponent("Vectors")
    }

    /// Returns the names of the vectors, relative to the folder.
    ///
    /// - Parameter prefix: The beginning of their names, for example that of a subfolder.
    /// - Returns: The names, in order.
    public func names(_ prefix: String = "") -> [String] {
        let found = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
        return found.filter { $0.hasSuffix(".json") && $0.hasPrefix(prefix) }.sorted()
    }

    /// Returns the bytes of a vector.
    ///
    /// - Parameter name: The vector's name, relative to the folder.
    /// - Returns: The bytes.
    /// - Throws: The file system's error.
    public func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: url.appendingPathComponent(name)))
    }

    /// Returns a vector's value.
    ///
    /// - Parameters:
    ///   - name: The vector's name, relative to the folder.
    ///   - type: The type of the value.
    /// - Returns: The value.
    /// - Throws: The file system's error; `DecodingError`.
    public func read<Value: Decodable>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes(name)))
    }

    /// Returns the SHA-256 that the list has of each vector, in hexadecimal.
    ///
    /// - Returns: The sums, by name.
    /// - Throws: The file system's error; ``TestSupportError`` if a line is malformed or a name occurs twice.
    public func listedSums() throws -> [String: String] {
        var sums: [String: String] = [:]
        for line in String(decoding: try bytes("SHA256SUMS"), as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count == 2, sums.updateValue(words[0], forKey: words[1]) == nil else {
                throw TestSupportError("a line of SHA256SUMS is malformed: \(line)")
            }
        }
        return sums
    }
}
