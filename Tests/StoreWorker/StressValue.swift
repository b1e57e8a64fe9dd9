// SPDX-License-Identifier: Apache-2.0

import AuthCore
import TestSupport

/// A value that names its writer and shows whether it is whole.
///
/// Layout: writer, number, filler whose length depends on both, and a checksum of all of it.
struct StressValue: Equatable {
    let writer: UInt64
    let number: UInt64

    init(writer: UInt64, number: UInt64) {
        self.writer = writer
        self.number = number
    }

    /// Parses a value.
    ///
    /// - Throws: ``WorkerError`` if it is truncated, mixed from two values, or not of this kind.
    init(_ item: SecretBytes) throws {
        let bytes = item.unredacted
        guard bytes.count >= 16 else { throw WorkerError("a value of \(bytes.count) bytes") }
        writer = Self.number(bytes[0..<8])
        number = Self.number(bytes[8..<16])
        guard bytes == Self.bytes(writer, number) else { throw WorkerError("a mixture, or a value that was cut") }
    }

    var item: SecretBytes { SecretBytes(Self.bytes(writer, number)) }

    private static func bytes(_ writer: UInt64, _ number: UInt64) -> [UInt8] {
        var bytes = Self.bytes(of: writer) + Self.bytes(of: number)
        // Length and content differ from one value to the next. The maximum is about the size of a session.
        let length = Int((writer &* 7_919 &+ number &* 104_729) % 4_096)
        bytes += (0..<length).map { UInt8(truncatingIfNeeded: UInt64($0) &* (number | 1) &+ writer) }
        // FNV-1a is enough: it has to detect mixtures, not attacks.
        let sum = bytes.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        return bytes + Self.bytes(of: sum)
    }

    private static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
