import APIClient
import AuthCore
import AuthSession
import AuthTesting
import Foundation
import OpenIDConnect
import SecureStore
import Testing

/// The code of `Docs/OpenIDConnect.md`, compiled from outside of the package as its readers do.
///
/// Change both together; the test below says where they differ.
private enum OpenIDConnectSamples {
    static func atLaunch(store: any SecureStore) async throws -> AuthSession? {
        if let session = try await AuthSession.stored(in: store) { return session }
        return nil
    }

    static func inTheBrowser(store: any SecureStore) async throws -> User? {
        let issuer = try Issuer("https://id.example.com")
        let provider = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: "native"))
        let session = AuthSession(backend: .openID(provider), store: store)
        let user = try await session.signIn(using: .systemBrowser())
        return user
    }

    static func customScheme(session: AuthSession, address: String) async throws -> (String, User?) {
        let url = try await session.beginSignIn(redirectURI: "recipe://callback")
        let user = try await session.completeSignIn(redirectedTo: address)
        return (url, user)
    }

    static func device(
        session: AuthSession,
        show: @escaping @Sendable (String, String) -> Void
    ) async throws -> User? {
        let user = try await session.signInOnAnotherDevice { device in
            show(device.verificationURL, device.userCode)
            _ = device.completeVerificationURL
        }
        return user
    }

    static func byHand(provider: OpenIDProvider, address: String) async throws -> (String, String?) {
        let request = AuthorizationRequest(
            provider: provider.metadata,
            clientID: provider.client.id,
            redirectURI: "recipe://callback",
            nonce: Nonce().sha256
        )
        let url = try await provider.authorizationURL(for: request)
        let response = try AuthorizationResponse(redirectedTo: address, answering: request)
        let tokens = try await provider.tokens(for: response, to: request)
        let subject = tokens.idToken?.subject
        return (url, subject)
    }

    static func testing() async throws -> AuthSession {
        let provider = InProcessProvider()
        var settings = ProviderSettings()
        settings.transport = provider
        let issuer = try Issuer(provider.issuer)
        let known = try await OpenIDProvider.discover(issuer: issuer, client: .public(id: "native"), settings: settings)
        let session = AuthSession(backend: .openID(known), store: MemoryStore())
        let url = try await session.beginSignIn(redirectURI: "recipe://callback")
        let callback = provider.authorize(url).redirectURL
        try await session.completeSignIn(redirectedTo: callback ?? "")
        provider.inject(.dropReply(at: .token))
        return session
    }
}

struct OpenIDConnectSamplesTests {
    @Test func `every line of the document's samples is compiled here`() throws {
        let here = URL(filePath: #filePath)
        let root = (0..<5).reduce(here) { folder, _ in folder.deletingLastPathComponent() }
        let document = try String(contentsOf: root.appending(path: "Docs/OpenIDConnect.md"), encoding: .utf8)
        let compiled = try Set(Self.lines(of: String(contentsOf: here, encoding: .utf8)[...]))
        let samples = document.components(separatedBy: "```swift\n").dropFirst()
        #expect(samples.count == 5)
        for sample in samples {
            for line in Self.lines(of: sample.prefix(upTo: try #require(sample.range(of: "```")).lowerBound)) {
                #expect(compiled.contains(line), "\(line)")
            }
        }
    }

    @Test func `the sample for tests signs in`() async throws {
        let session = try await OpenIDConnectSamples.testing()
        await #expect(throws: (any Error).self) { try await session.refresh() }
    }

    /// What is compiled of a line: without its indentation and its comment.
    private static func lines(of text: Substring) -> [String] {
        text.split(separator: "\n").map { line in
            let code = line.range(of: "//", options: .backwards).map { comment in
                line[..<comment.lowerBound].last.map { $0 == " " } ?? true ? line[..<comment.lowerBound] : line
            }
            return (code ?? line).trimmingCharacters(in: .whitespaces)
        }
        .filter { !$0.isEmpty }
    }
}
