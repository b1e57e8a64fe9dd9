// SPDX-License-Identifier: Apache-2.0

/// The format of the small texts that are kept beside items: lines of words, the first with a title and a version.
enum VersionedLines {
    /// Returns the lines below the first line.
    ///
    /// - Parameters:
    ///   - lines: The words of each line.
    ///   - title: The first word of the first line.
    ///   - version: The newest version that can be read.
    ///   - damaged: The error to throw if the first line is not a title and version.
    /// - Returns: The other lines.
    /// - Throws: `damaged`; ``SecureStoreError`` (`newerFormat`).
    static func body(
        of lines: [[String]],
        _ title: String,
        _ version: Int,
        orThrow damaged: SecureStoreError
    ) throws(SecureStoreError) -> ArraySlice<[String]> {
        guard let first = lines.first, first.count == 2, first[0] == title, let number = Int(first[1]) else {
            throw damaged
        }
        guard number <= version else { throw SecureStoreError(.newerFormat) }
        return lines.dropFirst()
    }
}
