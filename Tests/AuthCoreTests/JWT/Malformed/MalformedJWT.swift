// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

/// A token with one error, and the fault.
struct MalformedJWT: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let token: String
    let fault: TokenFault
    let part: TokenFault.Part?
    let member: String?

    init(
        _ comment: String,
        _ token: String,
        _ fault: TokenFault,
        _ part: TokenFault.Part? = nil,
        member: String? = nil
    ) {
        testDescription = comment
        self.token = token
        self.fault = fault
        self.part = part
        self.member = member
    }

    static func header(_ header: String, _ fault: TokenFault, member: String? = nil) -> MalformedJWT {
        MalformedJWT("header \(header)", CompactJWT.make(header: header), fault, .header, member: member)
    }

    static func payload(_ payload: String, _ fault: TokenFault, member: String? = nil) -> MalformedJWT {
        MalformedJWT("payload \(payload)", CompactJWT.make(payload: payload), fault, .payload, member: member)
    }

    static var all: [MalformedJWT] { shapes + encodings + headers + payloads }
}
