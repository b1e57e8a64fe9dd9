/// The certificate authorities that servers are verified against.
public struct CertificateAuthorities: Sendable {
    let pem: [UInt8]?
    let includesSystem: Bool

    /// The system's authorities.
    public static let system = CertificateAuthorities(pem: nil, includesSystem: true)

    /// Returns the system's authorities and others.
    ///
    /// - Parameter pem: One or more certificates in PEM.
    /// - Returns: Both.
    public static func systemAnd(pem: [UInt8]) -> CertificateAuthorities {
        CertificateAuthorities(pem: pem, includesSystem: true)
    }

    /// Returns only the given authorities: the system's are not trusted.
    ///
    /// - Parameter pem: One or more certificates in PEM.
    /// - Returns: The given authorities alone.
    public static func only(pem: [UInt8]) -> CertificateAuthorities {
        CertificateAuthorities(pem: pem, includesSystem: false)
    }

    /// Reads authorities from a file, and adds the system's.
    ///
    /// Blocks while the file is read.
    ///
    /// - Parameter pemFile: The path of a file with one or more certificates in PEM.
    /// - Returns: Both.
    /// - Throws: ``TransportSettingsError`` (`unreadableCertificates`).
    public static func systemAnd(pemFile: String) throws -> CertificateAuthorities {
        systemAnd(pem: try contents(of: pemFile))
    }

    /// Reads authorities from a file: the system's are not trusted.
    ///
    /// Blocks while the file is read.
    ///
    /// - Parameter pemFile: The path of a file with one or more certificates in PEM.
    /// - Returns: The authorities in the file alone.
    /// - Throws: ``TransportSettingsError`` (`unreadableCertificates`).
    public static func only(pemFile: String) throws -> CertificateAuthorities {
        only(pem: try contents(of: pemFile))
    }

    /// The largest file in bytes: the certificates of a whole system are a quarter of this.
    private static let maximumFileSize = 1_024 * 1_024

    private static func contents(of path: String) throws -> [UInt8] {
        do {
            let file = try OpenFile(path: path)
            guard file.length <= maximumFileSize else { throw TransportSettingsError(.unreadableCertificates) }
            var contents: [UInt8] = []
            while contents.count < file.length {
                let part = try file.bytes(at: contents.count, count: file.length - contents.count)
                // The file became shorter while it was read: a certificate may be cut off.
                guard !part.isEmpty else { throw TransportSettingsError(.unreadableCertificates) }
                contents += part
            }
            return contents
        } catch let fault as FileError {
            throw TransportSettingsError(.unreadableCertificates, underlying: fault)
        }
    }
}
