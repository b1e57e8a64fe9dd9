// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// A credential of any kind.
public protocol ASAuthorizationCredential: NSObjectProtocol {}

/// A finished authorization.
public final class ASAuthorization: NSObject {
    /// A piece of user data that a request asks for.
    public struct Scope: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let fullName = Scope(rawValue: "full_name")
        public static let email = Scope(rawValue: "email")
    }

    public let credential: any ASAuthorizationCredential

    /// Creates an authorization; the system's type has no such initializer.
    public init(credential: any ASAuthorizationCredential) {
        self.credential = credential
    }
}

public final class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
    public let user: String
    public let identityToken: Data?
    public let email: String?
    public let fullName: PersonNameComponents?

    /// Creates a credential; the system's type has no such initializer.
    public init(user: String, identityToken: Data?, email: String?, fullName: PersonNameComponents?) {
        self.user = user
        self.identityToken = identityToken
        self.email = email
        self.fullName = fullName
    }
}

/// A credential of another kind.
public final class ASPasswordCredential: NSObject, ASAuthorizationCredential {
    public let user: String
    public let password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

open class ASAuthorizationRequest: NSObject {}

open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest {
    public var requestedScopes: [ASAuthorization.Scope]?
    public var state: String?
    public var nonce: String?
}

public final class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest {
    /// Creates a request; the system's requests come from a provider.
    override public init() {}
}

public struct ASAuthorizationError: Error {
    public enum Code: Int, Sendable {
        case unknown = 1000
        case canceled = 1001
        case invalidResponse = 1002
        case notHandled = 1003
        case failed = 1004
    }

    public let code: Code

    public init(_ code: Code) {
        self.code = code
    }
}
