// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import AuthCore
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TestSupport
import Testing

@testable import APIClient

@Suite(.timeLimit(.minutes(3)))
struct TransportSettingsTests {
    private static func request(
        _ authority: String,
        scheme: String = "https",
        in time: Duration = .seconds(60)
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/"),
            timeout: time
        )
    }

    private static func authorities() throws -> TemporaryFile {
        try TemporaryFile(Array((TestCertificates.authority + "\n" + TestFaultyCertificates.authority + "\n").utf8))
    }

    private static func fault(
        _ settings: TransportSettings,
        _ request: TransportRequest,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async -> TransportError? {
        await #expect(throws: TransportError.self, sourceLocation: sourceLocation) {
            try await CurlTransport(settings: settings).send(request)
        }
    }

    @Test(arguments: [false, true])
    func `a server with a certificate of a given authority is trusted`(trustsSystem: Bool) async throws {
        let server = try await TLSServer(tls: try TestCertificates.serverConfiguration())
        let file = try Self.authorities()
        let transport = try CurlTransport(
            settings: .init(certificateAuthorities: file.path, trustsSystemAuthorities: trustsSystem)
        )
        for authority in [server.authority, "localhost:\(server.port)"] {
            #expect(try await transport.send(Self.request(authority)).head.status == .ok)
        }
    }

    @Test func `a server with a certificate of an unknown authority gets no request`() async throws {
        let server = try await TLSServer(tls: try TestCertificates.serverConfiguration())
        let fault = await Self.fault(TransportSettings(), Self.request(server.authority))
        #expect(fault?.code == .insecureConnection)
        #expect(fault?.reason == .issuerUnknown)
        #expect(fault?.mayHaveReachedServer == false)
        #expect(server.requests.isEmpty)
    }

    @Test func `the system's authorities are trusted beside those of a file, unless they are to be replaced`() throws {
        let file = try Self.authorities()
        let both = try CurlSettings(TransportSettings(certificateAuthorities: file.path))
        let certificates = try #require(both.authorities)
        #expect(both.authorityFile == nil)
        let text = unsafe String(decoding: certificates.memory, as: UTF8.self)
        // A machine without any authority of its own has an empty list.
        let system = (try? String(contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)) ?? ""
        #expect(text.hasPrefix(system) && text.contains(TestCertificates.authority))
        let only = TransportSettings(certificateAuthorities: file.path, trustsSystemAuthorities: false)
        #expect(try CurlSettings(only).authorityFile == file.path)
        #expect(try CurlSettings(only).authorities == nil)
    }

    @Test func `authorities of a file replace those of another transport`() async throws {
        let server = try await TLSServer(tls: try TestCertificates.serverConfiguration())
        let file = try TemporaryFile(Array(TestFaultyCertificates.authority.utf8))
        let fault = await Self.fault(.init(certificateAuthorities: file.path), Self.request(server.authority))
        #expect(fault?.reason == .issuerUnknown)
        #expect(server.requests.isEmpty)
    }

    @Test(
        arguments: [
            (TestFaultyCertificates.expired, .expired), (TestFaultyCertificates.notYetValid, .notYetValid),
            (TestFaultyCertificates.otherName, .nameMismatch), (TestFaultyCertificates.selfSigned, .issuerUnknown),
        ] as [(String, TransportError.Reason)]
    )
    func `a server with an invalid certificate gets no request, and the error says why`(
        certificate: String,
        reason: TransportError.Reason
    ) async throws {
        let tls = try TestCertificates.serverConfiguration(certificate)
        let server = try await TLSServer(tls: tls)
        let file = try Self.authorities()
        let fault = await Self.fault(.init(certificateAuthorities: file.path), Self.request(server.authority))
        #expect(fault?.code == .insecureConnection)
        #expect(fault?.reason == reason)
        #expect(fault?.description == reason.description)
        #expect(fault?.mayHaveReachedServer == false)
        #expect(server.requests.isEmpty)
    }

    @Test func `a server with a certificate for another host gets no request`() async throws {
        let tls = try TestCertificates.serverConfiguration()
        let server = try await TLSServer(host: "127.0.0.2", tls: tls)
        let file = try Self.authorities()
        let fault = await Self.fault(.init(certificateAuthorities: file.path), Self.request(server.authority))
        #expect(fault?.code == .insecureConnection)
        #expect(fault?.reason == .nameMismatch)
        #expect(fault?.mayHaveReachedServer == false)
        #expect(server.requests.isEmpty)
    }

    @Test func `a server that supports only TLS 1.1 or older gets no request`() async throws {
        var tls = try TestCertificates.serverConfiguration()
        tls.minimumTLSVersion = .tlsv1
        tls.maximumTLSVersion = .tlsv11
        let server = try await TLSServer(tls: tls)
        let file = try Self.authorities()
        let fault = await Self.fault(.init(certificateAuthorities: file.path), Self.request(server.authority))
        #expect(fault?.code == .insecureConnection)
        #expect(fault?.reason == nil)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["http", "https"])
    func `a connection that takes too long times out, and nothing was sent`(scheme: String) async throws {
        let port = try DeafPort()
        let request = Self.request("127.0.0.1:\(port.port)", scheme: scheme, in: .milliseconds(300))
        let fault = await Self.fault(TransportSettings(), request)
        #expect(fault?.code == .timedOut)
        #expect(fault?.mayHaveReachedServer == false)
    }

    @Test func `a TLS handshake that takes too long times out, and nothing was sent`() async throws {
        // This server accepts connections and sends nothing.
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        defer { server.close(promise: nil) }
        let port = try #require(server.localAddress?.port)
        let fault = await Self.fault(TransportSettings(), Self.request("127.0.0.1:\(port)", in: .milliseconds(500)))
        #expect(fault?.code == .timedOut)
        #expect(fault?.mayHaveReachedServer == false)
    }

    @Test(arguments: ["", "none", TestCertificates.serverKey])
    func `a file of authorities without a certificate is an error`(text: String) throws {
        let file = try TemporaryFile(Array(text.utf8))
        let error = #expect(throws: TransportError.self) {
            try CurlTransport(settings: .init(certificateAuthorities: file.path))
        }
        #expect(error?.code == .invalidSettings && error?.reason == .certificateAuthorities)
    }

    @Test func `a file of authorities without a valid certificate trusts nobody`() async throws {
        let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
        let server = try await TLSServer(tls: try TestCertificates.serverConfiguration())
        let file = try TemporaryFile(Array(pem.utf8))
        let settings = TransportSettings(certificateAuthorities: file.path, trustsSystemAuthorities: false)
        let fault = await Self.fault(settings, Self.request(server.authority))
        #expect(fault?.code == .insecureConnection)
        #expect(fault?.reason == .certificateAuthorities)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["/no/such/file", "/"])
    func `an unreadable file of authorities is an error`(path: String) {
        let error = #expect(throws: TransportError.self) {
            try CurlTransport(settings: .init(certificateAuthorities: path))
        }
        #expect(error?.code == .invalidSettings && error?.reason == .certificateAuthorities)
    }
}
#endif
