// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import APIClient
@testable import AuthCore
@testable import OpenIDConnect

/// The invariants of every discovery document: judges the inputs of the fuzzer and of the corpus.
///
/// Nothing may crash. An accepted document is that of the requested issuer, by Foundation's reading as well. It names
/// only https endpoints, and none on this machine, unless the issuer is there. Its stored form reads back the same.
enum DiscoveryOracle {
    /// Reads bytes as a document, and as a second one that completes a first.
    ///
    /// - Returns: The violated invariant; nil if the input violates no invariant.
    static func complaint(about bytes: [UInt8]) -> String? {
        guard issuers.count == 3, let first else { return "the issuers of the oracle are invalid" }
        for issuer in issuers {
            guard let metadata = try? ProviderMetadata(bytes, of: issuer) else { continue }
            if let complaint = complaint(about: metadata, of: bytes) ?? complaintAboutRecord(of: metadata) {
                return complaint
            }
        }
        guard let completed = try? first.adding(bytes) else { return nil }
        guard completed.issuer == first.issuer, completed.tokenEndpoint == first.tokenEndpoint,
            completed.authorizationEndpoint == first.authorizationEndpoint, completed.jwksURI == first.jwksURI,
            completed.userInfoEndpoint == first.userInfoEndpoint
        else { return "a second document changes the first" }
        let added = [
            ("revocation_endpoint", completed.revocationEndpoint),
            ("device_authorization_endpoint", completed.deviceAuthorizationEndpoint),
            ("registration_endpoint", completed.registrationEndpoint),
        ]
        return complaint(about: added, said: read(bytes), of: first.issuer)
    }

    private static let issuers = ["https://op.example", "https://op.example/tenant", "http://127.0.0.1:8080"]
        .compactMap { try? Issuer($0) }

    private static let first = issuers.first.flatMap { issuer in
        try? ProviderMetadata(
            Array(
                """
                {"issuer":"https://op.example","authorization_endpoint":"https://op.example/a",\
                "token_endpoint":"https://op.example/t","jwks_uri":"https://op.example/k"}
                """.utf8
            ),
            of: issuer
        )
    }

    private static func read(_ bytes: [UInt8]) -> [String: JSONValue]? {
        (try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes)))?.filter { !$0.value.isAbsent }
    }

    private static func complaint(about metadata: ProviderMetadata, of bytes: [UInt8]) -> String? {
        guard let said = read(bytes) else { return "accepted, but rejected by Foundation" }
        guard let issuer = said["issuer"]?.string, issuer.utf8.elementsEqual(metadata.issuer.identifier.utf8) else {
            return "another issuer's document is accepted"
        }
        for required in ["authorization_endpoint", "token_endpoint", "jwks_uri"] where said[required]?.string == nil {
            return "accepted without \(required)"
        }
        let endpoints: [(String, EndpointURL?)] = [
            ("authorization_endpoint", metadata.authorizationEndpoint), ("token_endpoint", metadata.tokenEndpoint),
            ("jwks_uri", metadata.jwksURI), ("userinfo_endpoint", metadata.userInfoEndpoint),
            ("revocation_endpoint", metadata.revocationEndpoint), ("end_session_endpoint", metadata.endSessionEndpoint),
            ("device_authorization_endpoint", metadata.deviceAuthorizationEndpoint),
            ("pushed_authorization_request_endpoint", metadata.pushedAuthorizationRequestEndpoint),
            ("registration_endpoint", metadata.registrationEndpoint),
        ]
        return complaint(about: endpoints, said: said, of: metadata.issuer)
    }

    private static func complaint(
        about endpoints: [(String, EndpointURL?)],
        said: [String: JSONValue]?,
        of issuer: Issuer
    ) -> String? {
        for (name, endpoint) in endpoints {
            let text = said?[name]?.string
            guard let endpoint else {
                if text != nil { return "\(name) is missing in the metadata" }
                continue
            }
            guard let text, text.utf8.elementsEqual(endpoint.description.utf8) else { return "wrong value of \(name)" }
            guard isAllowed(endpoint, of: issuer) else { return "\(name) is unsafe, or Foundation reads another URL" }
        }
        return nil
    }

    /// Returns whether an endpoint is allowed by Foundation's reading of the URL, which is the browser's and the
    /// server's.
    private static func isAllowed(_ endpoint: EndpointURL, of issuer: Issuer) -> Bool {
        guard let parts = URLComponents(string: endpoint.description, encodingInvalidCharacters: false),
            parts.user == nil, parts.password == nil, parts.fragment == nil,
            let host = parts.host?.lowercased().trimmingCharacters(in: ["[", "]"]), !host.isEmpty,
            endpoint.server.host == host
        else { return false }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        guard endpoint.address.target == path + (parts.percentEncodedQuery.map { "?" + $0 } ?? "") else { return false }
        // `127.example` is a name.
        let isAddress = host.allSatisfy { "0123456789.".contains($0) }
        let isHere = host == "localhost" || host == "::1" || host.hasPrefix("127.") && isAddress
        switch parts.scheme?.lowercased() {
        case "https":
            return endpoint.server.scheme == "https" && (!isHere || issuer.identifier.hasPrefix("http://"))
        case "http":
            return endpoint.server.scheme == "http" && issuer.identifier.hasPrefix("http://") && isHere
        default:
            return false
        }
    }

    private static func complaintAboutRecord(of metadata: ProviderMetadata) -> String? {
        guard let bytes = try? JSONEncoder().encode(metadata.document),
            let again = try? ProviderMetadata(Array(bytes), of: metadata.issuer)
        else { return "the stored document is unreadable" }
        return again.document == metadata.document ? nil : "the stored document is read differently"
    }
}
