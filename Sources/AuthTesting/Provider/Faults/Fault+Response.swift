// SPDX-License-Identifier: Apache-2.0

public import AuthCore

extension InProcessProvider.Fault {
    /// Makes the provider respond with an error instead of carrying out the request.
    ///
    /// At the authorization endpoint the error goes to the callback.
    ///
    /// - Parameters:
    ///   - code: The error code: `temporarily_unavailable`, `server_error`, `invalid_client`.
    ///   - description: The description for logs; nil to omit it.
    ///   - status: The status code.
    ///   - endpoint: The endpoint.
    /// - Returns: The fault.
    public static func error(
        _ code: String,
        description: String? = nil,
        status: Int = 400,
        at endpoint: InProcessProvider.Endpoint
    ) -> Self {
        var members: [String: JSONValue] = ["error": .string(code)]
        if let description { members["error_description"] = .string(description) }
        return Self(.response(EndpointResponse(members, status: status)), at: endpoint)
    }

    /// Sets or adds a member of the JSON response, such as `token_type` `mac`.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - value: The member's value.
    ///   - endpoint: The endpoint.
    /// - Returns: The fault.
    public static func responseMember(
        _ name: String,
        _ value: JSONValue,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.member(name, value), at: endpoint)
    }

    /// Removes a member of the JSON response, such as `expires_in`.
    ///
    /// - Parameters:
    ///   - name: The member's name.
    ///   - endpoint: The endpoint.
    /// - Returns: The fault.
    public static func removingResponseMember(
        _ name: String,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.member(name, nil), at: endpoint)
    }

    /// Sets or adds a claim; the signature stays valid.
    ///
    /// - Parameters:
    ///   - name: The claim's name.
    ///   - value: The claim's value.
    ///   - endpoint: The endpoint: `token` for the ID token, `userInfo` for the userinfo response, signed or not.
    /// - Returns: The fault.
    public static func claim(
        _ name: String,
        _ value: JSONValue,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.claim(name, value), at: endpoint)
    }

    /// Removes a claim; the signature stays valid.
    ///
    /// - Parameters:
    ///   - name: The claim's name.
    ///   - endpoint: The endpoint: `token` for the ID token, `userInfo` for the userinfo response, signed or not.
    /// - Returns: The fault.
    public static func removingClaim(
        _ name: String,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.claim(name, nil), at: endpoint)
    }

    /// Makes the signature or the header of a JWT faulty.
    ///
    /// - Parameters:
    ///   - signature: The kind of fault.
    ///   - endpoint: The endpoint: `token` for the ID token, `userInfo` for the signed userinfo response.
    /// - Returns: The fault.
    public static func signature(
        _ signature: Signature,
        at endpoint: InProcessProvider.Endpoint = .token
    ) -> Self {
        Self(.signature(signature), at: endpoint)
    }

    /// Sets or adds a parameter of the callback, such as `iss` or `state`.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - value: The parameter's value.
    /// - Returns: The fault, at the authorization endpoint.
    public static func callbackParameter(_ name: String, _ value: String) -> Self {
        Self(.parameter(name, value), at: .authorization)
    }

    /// Removes a parameter of the callback.
    ///
    /// - Parameter name: The parameter's name.
    /// - Returns: The fault, at the authorization endpoint.
    public static func removingCallbackParameter(_ name: String) -> Self {
        Self(.parameter(name, nil), at: .authorization)
    }

    /// Repeats a parameter of the callback.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - value: The second value; nil to repeat the first.
    /// - Returns: The fault, at the authorization endpoint.
    public static func duplicatingCallbackParameter(_ name: String, second value: String? = nil) -> Self {
        Self(.repeatedParameter(name, value), at: .authorization)
    }
}
