// SPDX-License-Identifier: Apache-2.0

public import AuthCore

/// A certificate that a client presents to servers, with its private key.
///
/// A server that accepts client certificates asks for one during the TLS handshake. The certificate goes to every server
/// that asks, with a proof that the client has the key. With TLS 1.2 an observer can read the certificate, so give the
/// transport only to clients of servers that may know it. The key never leaves this machine.
///
/// Its description shows nothing.
/// [RFC 8705, 2](https://www.rfc-editor.org/rfc/rfc8705#section-2).
public struct ClientCertificate: Sendable, Redacted {
    private enum Source: Sendable {
        case pem([UInt8], SecretBytes)
        case files(String, String)
    }

    private let source: Source

    /// Creates a certificate from PEM text.
    ///
    /// The text is checked when the transport is created.
    ///
    /// - Parameters:
    ///   - pem: The client's certificate in PEM, followed by those of the intermediate authorities, if any. Not secret.
    ///   - privateKey: The unencrypted private key of the client's certificate in PEM: PKCS#8, SEC1 or PKCS#1. Secret.
    public init(pem: [UInt8], privateKey: SecretBytes) {
        source = .pem(pem, privateKey)
    }

    /// Creates a certificate from two files, which are read when the transport is created.
    ///
    /// A transport doesn't read them again: create another one after the files changed.
    ///
    /// - Parameters:
    ///   - pemFile: The path of a file with the certificate chain, at most 1 MiB.
    ///   - privateKeyFile: The path of a file with the private key, at most 1 MiB; may be the same file.
    public init(pemFile: String, privateKeyFile: String) {
        source = .files(pemFile, privateKeyFile)
    }

    /// Returns the texts of the certificate chain and of the private key; blocks while files are read.
    ///
    /// - Throws: ``TransportSettingsError`` (`unreadableClientCertificate`).
    func contents() throws -> (chain: [UInt8], privateKey: SecretBytes) {
        switch source {
        case .pem(let chain, let privateKey):
            return (chain, privateKey)
        case .files(let chain, let privateKey):
            return (
                try PEMFile.contents(of: chain, orThrow: .unreadableClientCertificate),
                SecretBytes(try PEMFile.contents(of: privateKey, orThrow: .unreadableClientCertificate))
            )
        }
    }
}

extension Transport {
    /// Whether the transport presents a client certificate; false unless the type says otherwise.
    public var presentsClientCertificate: Bool { false }
}
