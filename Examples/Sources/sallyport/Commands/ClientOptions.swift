// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OpenIDConnect

/// The options that say how the client proves its identity at a provider, and whether it signs in without a user.
struct ClientOptions: ParsableArguments {
    enum ClientAuth: String, ExpressibleByArgument, CaseIterable {
        case none
        case basic
        case post
    }

    enum AssertionAlgorithm: String, ExpressibleByArgument, CaseIterable {
        case es256
        case rs256
        case ps256

        var algorithm: SignatureAlgorithm {
            switch self {
            case .es256: .es256
            case .rs256: .rs256
            case .ps256: .ps256
            }
        }
    }

    enum AssertionAudience: String, ExpressibleByArgument, CaseIterable {
        case issuer
        case tokenEndpoint = "token-endpoint"

        var audience: ClientAssertionKey.Audience { self == .issuer ? .issuer : .tokenEndpoint }
    }

    @Option(
        name: .long,
        help: ArgumentHelp("A file with the client secret, on its first line.", valueName: "file"),
        completion: .file()
    )
    var clientSecretFile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A PEM file with the client's private key, which signs in place of a secret (private_key_jwt, RFC 7523).",
            valueName: "file"
        ),
        completion: .file()
    )
    var privateKey: String?

    @Option(name: .customLong("key-id"), help: ArgumentHelp("The name of the key at the provider.", valueName: "kid"))
    var keyID: String?

    @Option(
        name: .long,
        help: "The algorithm of the private key's signatures. (default: es256 for P-256, rs256 for RSA)"
    )
    var assertionAlgorithm: AssertionAlgorithm?

    @Option(name: .long, help: "The audience that the signed assertion names. (default: issuer)")
    var assertionAudience: AssertionAudience?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            A file with a JWT that another program issues and renews, in place of a secret: a Kubernetes service \
            account token, for example. The file is read for each request.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var workloadToken: String?

    @Option(
        name: .long,
        help: "The client authentication method. The default is one that the provider offers, or none without a secret."
    )
    var clientAuth: ClientAuth?

    @Flag(
        name: .long,
        help: """
            Sign in as the client itself, without a user. Needs --client-secret-file, --private-key, \
            --workload-token, or --certificate.
            """
    )
    var clientCredentials = false

    @Flag(
        name: .long,
        help: """
            Sign in with an assertion, without a browser (RFC 7523, 2.1). --private-key signs it in the name of the \
            client, or it is the JWT of --workload-token.
            """
    )
    var jwtBearer = false

    @Option(
        name: .long,
        help: ArgumentHelp("The user or account that the signed assertion of --jwt-bearer is about.", valueName: "name")
    )
    var subject: String?

    /// The option by which a program signs in without a user; nil if a user signs in.
    var programOption: String? {
        clientCredentials ? "--client-credentials" : jwtBearer ? "--jwt-bearer" : nil
    }

    /// Checks the combination of the options, for a sign-in at a provider.
    ///
    /// Not in `validate()`, which runs before the command knows whether the sign-in is at a provider.
    ///
    /// - Parameters:
    ///   - clientID: The client ID; empty to register a client.
    ///   - hasCertificate: Whether the client has a certificate.
    /// - Throws: `ValidationError`.
    func check(clientID: String?, hasCertificate: Bool) throws {
        guard credentials.count < 2 else {
            throw ValidationError("Give either \(credentials[0]) FILE or \(credentials[1]) FILE.")
        }
        try checkMethod()
        if privateKey == nil, let wrong = ofKey.first { throw ValidationError("\(wrong) needs --private-key FILE.") }
        if clientID?.isEmpty == true {
            if let option = credentials.first, clientSecretFile == nil {
                throw ValidationError("\(option) needs the client ID that it belongs to.")
            }
            if let programOption {
                throw ValidationError("\(programOption) needs --client-id ID; a new client has no permissions.")
            }
        }
        guard !(clientCredentials && jwtBearer) else {
            throw ValidationError("Give either --client-credentials or --jwt-bearer.")
        }
        guard !clientCredentials || !credentials.isEmpty || hasCertificate else {
            throw ValidationError(
                """
                --client-credentials needs --client-secret-file FILE, --private-key FILE, --workload-token FILE, or \
                --certificate FILE.
                """
            )
        }
        guard !jwtBearer || privateKey != nil || workloadToken != nil else {
            throw ValidationError("--jwt-bearer needs --private-key FILE or --workload-token FILE.")
        }
        guard subject == nil || jwtBearer && privateKey != nil else {
            throw ValidationError("--subject needs --jwt-bearer and --private-key FILE.")
        }
    }

    private func checkMethod() throws {
        guard let clientAuth else { return }
        if let other = credentials.first, other != "--client-secret-file" {
            throw ValidationError("--client-auth can't be used with \(other).")
        }
        switch clientAuth {
        case .basic, .post:
            guard clientSecretFile != nil else {
                throw ValidationError("--client-auth \(clientAuth.rawValue) needs --client-secret-file.")
            }
        case .none:
            guard clientSecretFile == nil else {
                throw ValidationError("--client-auth \(clientAuth.rawValue) can't be used with --client-secret-file.")
            }
        }
    }

    /// The names of the options of a private key that were given.
    private var ofKey: [String] {
        [
            keyID.map { _ in "--key-id" }, assertionAlgorithm.map { _ in "--assertion-algorithm" },
            assertionAudience.map { _ in "--assertion-audience" },
        ].compactMap(\.self)
    }

    /// The options that name a file with which the client proves its identity.
    var credentials: [String] {
        [
            clientSecretFile.map { _ in "--client-secret-file" }, privateKey.map { _ in "--private-key" },
            workloadToken.map { _ in "--workload-token" },
        ].compactMap(\.self)
    }

    /// The names of the options that were given.
    var given: [String] {
        credentials + ofKey
            + [programOption, subject.map { _ in "--subject" }, clientAuth.map { _ in "--client-auth" }]
            .compactMap(\.self)
    }
}
