// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore

/// A credential description from git, which names a repository that an attacker may have chosen.
///
/// Wire: the input format of `git-credential`. A description that git would not send is not read: a line break, a NUL
/// or a second host is an attempt to get the credential of another server.
/// [git-credential](https://git-scm.com/docs/git-credential#IOFMT).
struct GitCredentialRequest: Sendable {
    /// The maximum length of a line, with its end, as git's documentation sets it.
    private static let lineLimit = 65_535
    private static let limit = 262_144
    /// The maximum number of bytes beyond ASCII in a line, as many as a path has: more take long to compare.
    private static let nonASCIILimit = 4_096

    /// The server, which is on https or loopback.
    let server: BaseURL
    /// The decoded path without its first slash; nil unless git is configured to name it (`credential.useHttpPath`).
    let path: String?
    /// The name of the user, if git knows it already.
    let username: String?
    /// The access token that git reports on; nil if it reports none, or a password that is not an access token.
    let accessToken: AccessToken?
    /// Whether git and the server take a bearer token, as far as the server said what it takes.
    let takesBearerToken: Bool

    /// Reads a description.
    ///
    /// Nil if it is malformed, too large, contradictory, or of a server that is neither on https nor on loopback.
    ///
    /// - Parameter input: The whole standard input. Untrusted.
    init?(_ input: [UInt8]) {
        guard let attributes = Self.attributes(input), attributes.values["url"] == nil,
            let scheme = attributes.values["protocol"], ["https", "http"].contains(scheme),
            let host = attributes.values["host"], !host.utf8.contains(where: { "/?#@%\\".utf8.contains($0) }),
            !host.hasSuffix(":"), let server = try? BaseURL("\(scheme)://\(host)"),
            // Brackets around a name are not a part of it to `BaseURL`.
            host.hasPrefix("[") == server.host.contains(":")
        else { return nil }
        self.server = server
        path = attributes.values["path"]
        username = attributes.values["username"]
        let secret = attributes.values["credential"] ?? attributes.values["password"]
        accessToken = secret.flatMap { try? AccessToken($0) }
        let challenges = attributes.lists["wwwauth[]", default: []]
        takesBearerToken =
            attributes.lists["capability[]", default: []].contains("authtype")
            && (challenges.isEmpty
                || AuthenticationChallenge.challenges(in: challenges).contains { $0.scheme == "bearer" })
    }

    private struct Attributes {
        var values: [String: String] = [:]
        var lists: [String: [String]] = [:]
    }

    /// Returns the attributes by name; nil if the input is malformed, or an attribute with one value comes twice.
    private static func attributes(_ input: [UInt8]) -> Attributes? {
        guard input.count <= limit, !input.contains(0), !input.contains(UInt8(ascii: "\r")) else { return nil }
        let lines = input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let end = lines.firstIndex(where: \.isEmpty) ?? lines.endIndex
        // A blank line ends the description. Git sends nothing after it.
        guard lines[end...].allSatisfy(\.isEmpty) else { return nil }
        var attributes = Attributes()
        for line in lines[..<end] {
            guard line.count < lineLimit, line.count(where: { $0 >= 0x80 }) <= nonASCIILimit,
                let equals = line.firstIndex(of: UInt8(ascii: "=")), equals > line.startIndex,
                let name = String(validating: line[..<equals], as: UTF8.self),
                let value = String(validating: line[(equals + 1)...], as: UTF8.self)
            else { return nil }
            if !name.hasSuffix("[]") {
                guard attributes.values.updateValue(value, forKey: name) == nil else { return nil }
            } else if value.isEmpty {
                attributes.lists[name] = nil
            } else {
                attributes.lists[name, default: []].append(value)
            }
        }
        return attributes
    }
}
