/// Who vouches for servers.
public struct CertificateAuthorities: Sendable {
    let pem: [UInt8]?
    let includesSystem: Bool

    /// The system's.
    public static let system = CertificateAuthorities(pem: nil, includesSystem: true)

    /// The system's and others.
    ///
    /// - Parameter pem: One certificate or more in PEM.
    /// - Returns: Both.
    public static func systemAnd(pem: [UInt8]) -> CertificateAuthorities {
        CertificateAuthorities(pem: pem, includesSystem: true)
    }

    /// Only those that are given: what the system trusts is not trusted.
    ///
    /// - Parameter pem: One certificate or more in PEM.
    /// - Returns: Those alone.
    public static func only(pem: [UInt8]) -> CertificateAuthorities {
        CertificateAuthorities(pem: pem, includesSystem: false)
    }

    /// The system's and those in a file.
    ///
    /// Blocks while the file is read.
    ///
    /// - Parameter pemFile: The path of a file with one certificate or more in PEM.
    /// - Returns: Both.
    /// - Throws: ``TransportSettingsError`` (`unreadableCertificates`).
    public static func systemAnd(pemFile: String) throws -> CertificateAuthorities {
        systemAnd(pem: try contents(of: pemFile))
    }

    /// Only those in a file.
    ///
    /// Blocks while the file is read.
    ///
    /// - Parameter pemFile: The path of a file with one certificate or more in PEM.
    /// - Returns: Those alone.
    /// - Throws: ``TransportSettingsError`` (`unreadableCertificates`).
    public static func only(pemFile: String) throws -> CertificateAuthorities {
        only(pem: try contents(of: pemFile))
    }

    /// The certificates of a whole system are a quarter of this.
    private static let maximumFileSize = 1_024 * 1_024

    private static func contents(of path: String) throws -> [UInt8] {
        do {
            let file = try OpenFile(path: path)
            guard file.length <= maximumFileSize else { throw TransportSettingsError(.unreadableCertificates) }
            var contents: [UInt8] = []
            while contents.count < file.length {
                let part = try file.bytes(at: contents.count, count: file.length - contents.count)
                // It became shorter while it was read: half of a certificate is none.
                guard !part.isEmpty else { throw TransportSettingsError(.unreadableCertificates) }
                contents += part
            }
            return contents
        } catch let fault as FileFault {
            throw TransportSettingsError(.unreadableCertificates, underlying: fault)
        }
    }
}
