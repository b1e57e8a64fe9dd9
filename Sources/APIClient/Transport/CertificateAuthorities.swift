// SPDX-License-Identifier: Apache-2.0

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
        systemAnd(pem: try PEMFile.contents(of: pemFile, orThrow: .unreadableCertificates))
    }

    /// Reads authorities from a file: the system's are not trusted.
    ///
    /// Blocks while the file is read.
    ///
    /// - Parameter pemFile: The path of a file with one or more certificates in PEM.
    /// - Returns: The authorities in the file alone.
    /// - Throws: ``TransportSettingsError`` (`unreadableCertificates`).
    public static func only(pemFile: String) throws -> CertificateAuthorities {
        only(pem: try PEMFile.contents(of: pemFile, orThrow: .unreadableCertificates))
    }
}
