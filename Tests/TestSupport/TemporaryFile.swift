// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A file that exists until its last reference is released.
package final class TemporaryFile: Sendable {
    package let path: String

    package init(_ bytes: [UInt8]) throws {
        let name = "sallyport-\(UInt64.random(in: .min ... .max))"
        path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        try write(bytes)
    }

    package func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    package func append(_ bytes: [UInt8]) throws {
        try write(Array(try Data(contentsOf: URL(filePath: path))) + bytes)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
