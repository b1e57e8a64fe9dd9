// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient && os(Linux)
import APIClient
import AuthCore
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
    private static let right = certificate(TestClientCertificates.certificate, TestClientCertificates.key)
    private static let wrong = certificate(
        TestClientCertificates.strangerCertificate,
        TestClientCertificates.strangerKey
    )

    private static func certificate(_ pem: String, _ key: String) -> ClientCertificate {
        ClientCertificate(pem: Array(pem.utf8), privateKey: SecretBytes(key.utf8))
    }

    private static func transport(_ certificate: ClientCertificate?) throws -> AsyncHTTPClientTransport {
        let authorities = CertificateAuthorities.only(pem: Array(TestCertificates.authority.utf8))
        return try AsyncHTTPClientTransport(
            settings: TransportSettings(certificateAuthorities: authorities, clientCertificate: certificate)
        )
    }

    private static func server(_ maximum: TLSVersion? = nil) async throws -> LocalServer {
        let tls = try TestClientCertificates.serverConfiguration(maximumTLSVersion: maximum)
        return try await LocalServer.start(tls: tls) { _ in .respond(.ok) }
    }

    private static func request(_ server: LocalServer) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: server.authority, path: "/"),
            timeout: .seconds(60)
        )
    }

    private static func refusal(_ certificate: ClientCertificate) -> TransportSettingsError.Code? {
        #expect(throws: TransportSettingsError.self) { try transport(certificate) }?.code
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func `a server that requires a certificate accepts the right one`(version: TLSVersion) async throws {
        let server = try await Self.server(version)
        let transport = try Self.transport(Self.right)
        #expect(try await transport.send(Self.request(server)).head.status == .ok)
        #expect(server.requests.count == 1)
    }

    /// With TLS 1.3 the server refuses the certificate after the client's part of the handshake, so the client can't
    /// know whether the request arrived.
    @Test(arguments: [TLSVersion.tlsv12, .tlsv13], [nil, wrong])
    func `a client without the right certificate gets no request through`(
        version: TLSVersion,
        certificate: ClientCertificate?
    ) async throws {
        let server = try await Self.server(version)
        let transport = try Self.transport(certificate)
        let error = await #expect(throws: TransportError.self) { try await transport.send(Self.request(server)) }
        let codes: [TransportError.Code?] = [.insecureConnection, .connectionClosed]
        #expect(codes.contains(error?.code))
        #expect(server.requests.isEmpty)
    }

    @Test func `a server that requests no certificate gets its request as usual`() async throws {
        let server = try await LocalServer.start(tls: try TestCertificates.serverConfiguration()) { _ in .respond(.ok) }
        let transport = try Self.transport(Self.right)
        #expect(try await transport.send(Self.request(server)).head.status == .ok)
    }

    @Test func `the certificate and its key can be read from two files, or from one`() async throws {
        let server = try await Self.server()
        let chain = try TemporaryFile(Array(TestClientCertificates.certificate.utf8))
        let key = try TemporaryFile(Array(TestClientCertificates.key.utf8))
        let both = try TemporaryFile(
            Array((TestClientCertificates.key + "\n" + TestClientCertificates.certificate + "\n").utf8)
        )
        for (chain, key) in [(chain.path, key.path), (both.path, both.path)] {
            let transport = try Self.transport(ClientCertificate(pemFile: chain, privateKeyFile: key))
            #expect(try await transport.send(Self.request(server)).head.status == .ok)
        }
    }

    @Test func `the files are read when the transport is created`() async throws {
        let server = try await Self.server()
        let chain = try TemporaryFile(Array(TestClientCertificates.strangerCertificate.utf8))
        let key = try TemporaryFile(Array(TestClientCertificates.strangerKey.utf8))
        let certificate = ClientCertificate(pemFile: chain.path, privateKeyFile: key.path)
        try chain.write(Array(TestClientCertificates.certificate.utf8))
        try key.write(Array(TestClientCertificates.key.utf8))
        let transport = try Self.transport(certificate)
        try chain.write([])
        try key.write([])
        #expect(try await transport.send(Self.request(server)).head.status == .ok)
    }

    @Test func `a key of another certificate is refused`() {
        let mixed = Self.certificate(TestClientCertificates.certificate, TestClientCertificates.strangerKey)
        #expect(Self.refusal(mixed) == .clientKeyMismatch)
    }

    @Test(arguments: ["", "none", TestClientCertificates.encryptedKey, TestClientCertificates.certificate])
    func `a key in the wrong form is refused`(key: String) {
        #expect(Self.refusal(Self.certificate(TestClientCertificates.certificate, key)) == .invalidClientKey)
    }

    @Test(arguments: [
        "", "none", TestClientCertificates.key, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    ])
    func `a certificate in the wrong form is refused`(pem: String) {
        #expect(Self.refusal(Self.certificate(pem, TestClientCertificates.key)) == .invalidClientCertificate)
    }

    @Test func `a missing file and a folder are refused`() throws {
        let chain = try TemporaryFile(Array(TestClientCertificates.certificate.utf8))
        for path in ["/no/such/file", "/"] {
            let code = Self.refusal(ClientCertificate(pemFile: chain.path, privateKeyFile: path))
            #expect(code == .unreadableClientCertificate)
            #expect(Self.refusal(ClientCertificate(pemFile: path, privateKeyFile: chain.path)) == code)
        }
    }

    @Test func `a file of more than 1 MiB is refused`() throws {
        let chain = try TemporaryFile(Array(TestClientCertificates.certificate.utf8))
        let large = try TemporaryFile(Array(repeating: 0x0A, count: 1_024 * 1_024 + 1))
        let certificate = ClientCertificate(pemFile: chain.path, privateKeyFile: large.path)
        #expect(Self.refusal(certificate) == .unreadableClientCertificate)
    }

    @Test func `a transport says whether it presents a certificate`() throws {
        let transports: [any Transport] = [
            try Self.transport(Self.right), try Self.transport(nil), AsyncHTTPClientTransport(),
        ]
        #expect(transports.map { $0.presentsClientCertificate } == [true, false, false])
    }

    @Test func `a printed certificate shows nothing of its key`() {
        var dumped = ""
        dump(TransportSettings(clientCertificate: Self.right), to: &dumped)
        let shown = dumped + "\(Self.right)" + String(reflecting: Self.right)
        #expect(!shown.contains("PRIVATE"))
        #expect(shown.contains("ClientCertificate(<redacted>)"))
    }
}
#endif
