// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import CCurl

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The settings of a transport's transfers.
struct CurlSettings: Sendable {
    /// The certificates that servers are verified against.
    enum Authorities: Sendable {
        case system
        case only(file: String)
        case systemAnd(CurlCertificates)
    }

    var authorities = Authorities.system
    var clientCertificate: TransportSettings.ClientCertificate?
    var proxy = CurlProxy.environment()
}

extension CurlSettings {
    /// Checks settings.
    ///
    /// - Throws: ``TransportSettingsError`` (`unreadableCertificates`, `unreadableClientCertificate`, `invalidProxy`).
    init(_ settings: TransportSettings) throws {
        if let file = settings.certificateAuthorities {
            guard let pem = Self.contents(of: file), Self.holds("CERTIFICATE-----", pem) else {
                throw TransportSettingsError(.unreadableCertificates)
            }
            authorities =
                settings.trustsSystemAuthorities
                ? .systemAnd(CurlCertificates(pem: Self.systemCertificates() + [UInt8(ascii: "\n")] + pem))
                : .only(file: file)
        }
        if let files = settings.clientCertificate {
            // Only libcurl can tell whether the two belong together; these are the faults of a wrong path.
            guard let chain = Self.contents(of: files.certificateFile), Self.holds("CERTIFICATE-----", chain),
                let key = Self.contents(of: files.privateKeyFile), Self.holds(" PRIVATE KEY-----", key),
                !Self.holds("ENCRYPTED", key)
            else { throw TransportSettingsError(.unreadableClientCertificate) }
        }
        clientCertificate = settings.clientCertificate
        proxy = try CurlProxy(settings.proxy)
    }

    /// Returns the certificates that libcurl trusts by itself; none if it has only a folder, which stays trusted.
    private static func systemCertificates() -> [UInt8] {
        // Safe: libcurl's text is constant.
        guard let library = CurlLibrary.shared, let path = unsafe sallyport_curl_authorities(library.functions) else {
            return []
        }
        return contents(of: unsafe String(cString: path)) ?? []
    }

    private static func holds(_ mark: String, _ pem: [UInt8]) -> Bool {
        String(decoding: pem, as: UTF8.self).contains(mark)
    }

    /// Returns the contents of a file; nil if it can't be read, such as a folder.
    private static func contents(of path: String) -> [UInt8]? {
        // Not a pipe, which would block.
        let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        guard type == .typeRegular || type == .typeSymbolicLink else { return nil }
        return FileManager.default.contents(atPath: path).map { Array($0) }
    }
}

/// Certificates in memory that stays where it is.
///
/// `Sendable` because the memory does not change.
@safe final class CurlCertificates: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer

    init(pem: [UInt8]) {
        unsafe memory = .allocate(byteCount: pem.count, alignment: 1)
        unsafe memory.copyBytes(from: pem)
    }

    deinit {
        unsafe memory.deallocate()
    }
}
#endif
