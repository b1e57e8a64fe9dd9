// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

/// A token with one error, and the error code expected for it.
struct MalformedJWT: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let token: String
    let code: JWTDecodingError.Code
    let part: JWTDecodingError.Part?
    let member: String?

    init(
        _ comment: String,
        _ token: String,
        _ code: JWTDecodingError.Code,
        _ part: JWTDecodingError.Part? = nil,
        member: String? = nil
    ) {
        testDescription = comment
        self.token = token
        self.code = code
        self.part = part
        self.member = member
    }

    static func header(_ header: String, _ code: JWTDecodingError.Code, member: String? = nil) -> MalformedJWT {
        MalformedJWT("header \(header)", CompactJWT.make(header: header), code, .header, member: member)
    }

    static func payload(_ payload: String, _ code: JWTDecodingError.Code, member: String? = nil) -> MalformedJWT {
        MalformedJWT("payload \(payload)", CompactJWT.make(payload: payload), code, .payload, member: member)
    }

    static var all: [MalformedJWT] { shapes + encodings + headers + payloads }
}
