// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import APIClient
import HTTPTypes
import NIOHTTP1
import NIOSSL
import TestSupport
import Testing

/// Client certificates, against a server that requires one.
///
/// [RFC 8705, 2](https://www.rfc-editor.org/rfc/rfc8705#section-2).
@Suite(.timeLimit(.minutes(3)))
struct ClientCertificateTests {
    /// A client certificate with its key, in a file each.
    struct Files: Sendable {
        let certificate: TemporaryFile
        let key: TemporaryFile

        init(_ certificate: String, _ key: String) throws {
            self.certificate = try TemporaryFile(Array(certificate.utf8))
            self.key = try TemporaryFile(Array(key.utf8))
        }

        static func right() throws -> Files {
            try Files(TestClientCertificates.certificate, TestClientCertificates.key)
        }

        static func wrong() throws -> Files {
            try Files(TestClientCertificates.strangerCertificate, TestClientCertificates.strangerKey)
        }
    }

    private static func send(to server: TLSServer, _ files: Files?) async throws -> TransportResponse {
        let authorities = try TemporaryFile(Array(TestCertificates.authority.utf8))
        let certificate = files.map {
            TransportSettings.ClientCertificate(certificateFile: $0.certificate.path, privateKeyFile: $0.key.path)
        }
        let settings = TransportSettings(certificateAuthorities: authorities.path, clientCertificate: certificate)
        return try await CurlTransport(settings: settings).send(request(server))
    }

    private static func server(_ maximum: TLSVersion? = nil) async throws -> TLSServer {
        let tls = try TestClientCertificates.serverConfiguration(maximumTLSVersion: maximum)
        return try await TLSServer(tls: tls)
    }

    private static func request(_ server: TLSServer) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: server.authority, path: "/"),
            timeout: .seconds(60)
        )
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func `a server that requires a certificate accepts the right one`(version: TLSVersion) async throws {
        let server = try await Self.server(version)
        #expect(try await Self.send(to: server, .right()).head.status == .ok)
        #expect(server.requests.count == 1)
    }

    /// With TLS 1.3 the server refuses the certificate after the client's part of the handshake, so the client can't
    /// know whether the request arrived.
    @Test(arguments: [TLSVersion.tlsv12, .tlsv13], [false, true])
    func `a client without the right certificate gets no request through`(
        version: TLSVersion,
        hasOne: Bool
    ) async throws {
        let server = try await Self.server(version)
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(to: server, hasOne ? .wrong() : nil)
        }
        let codes: [TransportError.Code?] = [.insecureConnection, .connectionClosed]
        #expect(codes.contains(error?.code))
        #expect(server.requests.isEmpty)
    }

    @Test func `a connection is not shared with a transport of another certificate`() async throws {
        let server = try await Self.server()
        #expect(try await Self.send(to: server, .right()).head.status == .ok)
        await #expect(throws: TransportError.self) { try await Self.send(to: server, nil) }
        #expect(server.requests.count == 1)
    }

    @Test func `a server that requests no certificate gets its request as usual`() async throws {
        let server = try await TLSServer(tls: try TestCertificates.serverConfiguration())
        #expect(try await Self.send(to: server, .right()).head.status == .ok)
    }

    @Test func `the certificate and its key can be in one file`() async throws {
        let server = try await Self.server()
        let both = TestClientCertificates.key + "\n" + TestClientCertificates.certificate + "\n"
        #expect(try await Self.send(to: server, Files(both, both)).head.status == .ok)
    }

    @Test(arguments: [
        (TestClientCertificates.certificate, TestClientCertificates.strangerKey),
        // Encrypted, without saying so. Nobody is asked for its passphrase.
        (
            TestClientCertificates.certificate,
            TestClientCertificates.encryptedKey.replacing("ENCRYPTED PRIVATE", with: "PRIVATE")
        ),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", TestClientCertificates.key),
    ])
    func `files that are no certificate with its own key are an error of their own`(
        certificate: String,
        key: String
    ) async throws {
        let server = try await Self.server()
        let error = await #expect(throws: TransportError.self) {
            try await Self.send(to: server, Files(certificate, key))
        }
        #expect(error?.code == .insecureConnection)
        #expect(error?.reason == .clientCertificate)
        #expect(error?.mayHaveReachedServer == false)
    }

    @Test(arguments: [
        (TestClientCertificates.certificate, ""), (TestClientCertificates.certificate, "none"),
        (TestClientCertificates.certificate, TestClientCertificates.encryptedKey),
        (TestClientCertificates.certificate, TestClientCertificates.certificate),
        ("", TestClientCertificates.key), ("none", TestClientCertificates.key),
        (TestClientCertificates.key, TestClientCertificates.key),
    ])
    func `a file in the wrong form is refused`(certificate: String, key: String) throws {
        let files = try Files(certificate, key)
        let error = #expect(throws: TransportError.self) {
            let pair = TransportSettings.ClientCertificate(
                certificateFile: files.certificate.path,
                privateKeyFile: files.key.path
            )
            _ = try CurlTransport(settings: TransportSettings(clientCertificate: pair))
        }
        #expect(error?.code == .invalidSettings && error?.reason == .clientCertificate)
    }

    @Test(arguments: ["/no/such/file", "/"])
    func `a missing file and a folder are refused`(path: String) throws {
        let files = try Files.right()
        for (certificate, key) in [(path, files.key.path), (files.certificate.path, path)] {
            let error = #expect(throws: TransportError.self) {
                let pair = TransportSettings.ClientCertificate(certificateFile: certificate, privateKeyFile: key)
                _ = try CurlTransport(settings: TransportSettings(clientCertificate: pair))
            }
            #expect(error?.code == .invalidSettings && error?.reason == .clientCertificate)
        }
    }
}
#endif
