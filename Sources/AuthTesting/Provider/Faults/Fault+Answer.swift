public import AuthCore

extension InProcessProvider.Fault {
    /// An error answer, though nothing is wrong with the request, which is not carried out.
    ///
    /// At the authorization endpoint it goes to the callback.
    ///
    /// - Parameters:
    ///   - code: The error code: `temporarily_unavailable`, `server_error`, `invalid_client`.
    ///   - description: For the person who reads logs; nil for none.
    ///   - status: The status.
    ///   - endpoint: Where.
    /// - Returns: The fault.
    public static func error(
        _ code: String,
        description: String? = nil,
        status: Int = 400,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        var members: [String: JSONValue] = ["error": .string(code)]
        if let description { members["error_description"] = .string(description) }
        return Self(.answer(ProviderAnswer(members, status: status)), at: endpoint)
    }

    /// A member of the JSON answer with another value, or one more: `token_type` `mac`.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - value: Its value.
    ///   - endpoint: Where.
    /// - Returns: The fault.
    public static func answerMember(
        _ name: String,
        _ value: JSONValue,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.member(name, value), at: endpoint)
    }

    /// A member of the JSON answer left out: `expires_in`.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - endpoint: Where.
    /// - Returns: The fault.
    public static func removingAnswerMember(
        _ name: String,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.member(name, nil), at: endpoint)
    }

    /// A claim with another value, or one more; the signature is right.
    ///
    /// - Parameters:
    ///   - name: The claim's name.
    ///   - value: Its value.
    ///   - endpoint: `token` for the ID token, `userInfo` for the userinfo answer, signed or not.
    /// - Returns: The fault.
    public static func claim(
        _ name: String,
        _ value: JSONValue,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.claim(name, value), at: endpoint)
    }

    /// A claim left out; the signature is right.
    ///
    /// - Parameters:
    ///   - name: The claim's name.
    ///   - endpoint: `token` for the ID token, `userInfo` for the userinfo answer, signed or not.
    /// - Returns: The fault.
    public static func removingClaim(
        _ name: String,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.claim(name, nil), at: endpoint)
    }

    /// A JWT whose signature or header is not as it should be.
    ///
    /// - Parameters:
    ///   - signature: What is wrong.
    ///   - endpoint: `token` for the ID token, `userInfo` for the signed userinfo answer.
    /// - Returns: The fault.
    public static func signature(
        _ signature: Signature,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.signature(signature), at: endpoint)
    }

    /// A parameter of the callback with another value, or one more: `iss`, `state`.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - value: Its value.
    /// - Returns: The fault, at the authorization endpoint.
    public static func callbackParameter(_ name: String, _ value: String) -> Self {
        Self(.parameter(name, value), at: .authorization)
    }

    /// A parameter of the callback left out.
    ///
    /// - Parameter name: The parameter's name.
    /// - Returns: The fault, at the authorization endpoint.
    public static func removingCallbackParameter(_ name: String) -> Self {
        Self(.parameter(name, nil), at: .authorization)
    }

    /// A parameter of the callback twice.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - value: What it says the second time; nil for the same.
    /// - Returns: The fault, at the authorization endpoint.
    public static func duplicatingCallbackParameter(_ name: String, second value: String? = nil) -> Self {
        Self(.repeatedParameter(name, value), at: .authorization)
    }
}
