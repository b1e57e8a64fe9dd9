// SPDX-License-Identifier: Apache-2.0

import APIClient

/// A set of rules for a client's requests, stricter than those of OAuth 2.0 and OpenID Connect.
///
/// A policy never weakens a check. A request that a policy forbids is not sent, and the call throws
/// ``ClientPolicyError``.
public struct ClientPolicy: Sendable, Hashable, CustomStringConvertible {
    private enum Value: String {
        case standard
        case fapi2
    }

    private let value: Value

    /// No rules beyond those of every client.
    public static let standard = ClientPolicy(value: .standard)
    /// The rules for clients of the FAPI 2.0 Security Profile.
    ///
    /// Plain http is accepted only from a loopback issuer, whose traffic doesn't leave the machine, so that a test can
    /// run against a provider on the same machine.
    /// [FAPI 2.0 Security Profile](https://openid.net/specs/fapi-security-profile-2_0-final.html).
    public static let fapi2 = ClientPolicy(value: .fapi2)

    private init(value: Value) {
        self.value = value
    }

    /// Creates the policy with a name, such as that of a stored session; nil for any other name.
    ///
    /// - Parameter name: The policy's ``name``.
    package init?(name: String) {
        guard let value = Value(rawValue: name) else { return nil }
        self.init(value: value)
    }

    /// The policy's name, which never changes: `standard` or `fapi2`.
    package var name: String { value.rawValue }

    /// The policy's name: `standard` or `fapi2`.
    public var description: String { name }

    /// Returns whether a JWT may be signed with an algorithm.
    ///
    /// FAPI 2.0 Security Profile, 5.4.1, item 1: `PS256`, `ES256` or `EdDSA`.
    func allows(_ algorithm: SignatureAlgorithm) -> Bool {
        self == .standard || [.ps256, .es256, .edDSA].contains(algorithm)
    }

    /// Checks that the provider's endpoints are not reached over plain http beyond this machine.
    ///
    /// - Throws: ``ClientPolicyError`` (`insecureHTTP`).
    func check(_ issuer: Issuer) throws(ClientPolicyError) {
        guard self == .standard || issuer.insecureHTTP != .insecurelyAllowHTTP else {
            throw ClientPolicyError(.insecureHTTP)
        }
    }
}
