// SPDX-License-Identifier: Apache-2.0

/// A file with certificates or a private key in PEM.
enum PEMFile {
    /// The largest file in bytes: the certificates of a whole system are a quarter of this.
    private static let maximumSize = 1_024 * 1_024

    /// Reads a file, and blocks.
    ///
    /// - Parameters:
    ///   - path: The path of a regular file.
    ///   - code: The code of the error if the file can't be read, is too large, or changes while it is read.
    /// - Returns: The contents. May be secret.
    /// - Throws: ``TransportSettingsError`` with this code.
    static func contents(of path: String, orThrow code: TransportSettingsError.Code) throws -> [UInt8] {
        do {
            let file = try OpenFile(path: path)
            guard file.length <= maximumSize else { throw TransportSettingsError(code) }
            var contents: [UInt8] = []
            while contents.count < file.length {
                let part = try file.bytes(at: contents.count, count: file.length - contents.count)
                // The file became shorter while it was read: a part may be cut off.
                guard !part.isEmpty else { throw TransportSettingsError(code) }
                contents += part
            }
            return contents
        } catch let fault as FileError {
            throw TransportSettingsError(code, underlying: fault)
        }
    }
}
