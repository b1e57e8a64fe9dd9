// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// What an authorization gives: of several kinds.
public protocol ASAuthorizationCredential: NSObjectProtocol {}

/// A finished authorization.
public final class ASAuthorization: NSObject {
    /// What is asked for of the person.
    public struct Scope: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let fullName = Scope(rawValue: "full_name")
        public static let email = Scope(rawValue: "email")
    }

    public let credential: any ASAuthorizationCredential

    /// The system's has none: it makes its own.
    public init(credential: any ASAuthorizationCredential) {
        self.credential = credential
    }
}

public final class ASAuthorizationAppleIDCredential: NSObject, ASAuthorizationCredential {
    public let user: String
    public let identityToken: Data?
    public let email: String?
    public let fullName: PersonNameComponents?

    /// The system's has none: it makes its own.
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
    /// The system's is made by a provider.
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
