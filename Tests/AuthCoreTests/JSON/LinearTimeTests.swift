// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

/// Texts for which a comparison of characters would take seconds to hours: long runs of combining marks.
///
/// Each takes milliseconds if only bytes are compared.
@Suite struct LinearTimeTests {
    private static let marks = String(repeating: "\u{301}\u{316}", count: 60_000)
    private static let other = String(repeating: "\u{316}\u{301}", count: 60_000)

    private func expectQuick(_ work: () throws -> Void) rethrows {
        let time = try ContinuousClock().measure(work)
        #expect(time < .seconds(5))
    }

    @Test func `values are compared and hashed in linear time`() {
        let values = ["a" + Self.marks, "a" + Self.other].map { JSONValue.string($0) }
        expectQuick {
            #expect(values[0] != values[1])
            #expect(Set(values + values).count == 2)
            #expect(JSONValue.array(values) != .array(values.reversed()))
        }
    }

    @Test func `a long name is refused in linear time`() {
        let text = Array(#"{"a":{"\#(Self.marks)":1}}"#.utf8)
        expectQuick { #expect(throws: JSONError.nameTooLong) { try JSONValue.object(in: text) } }
    }

    @Test func `many names of the greatest length are read in linear time`() {
        let names = (0..<1_500).map { #""\#(String(repeating: "\u{301}\u{316}", count: 60))\#($0)":1"# }
        let text = Array("{\(names.joined(separator: ","))}".utf8)
        expectQuick { #expect((try? JSONValue.object(in: text))?.count == 1_500) }
    }

    @Test func `scopes and targets are compared and hashed in linear time`() {
        let scopes = [Scope("a \(Self.marks)"), Scope("a \(Self.other)")]
        let targets = [TokenTarget(audiences: [Self.marks]), TokenTarget(audiences: [Self.other])]
        expectQuick {
            #expect(scopes[0] == scopes[1])
            #expect(!scopes[0].contains("a" + Self.marks))
            #expect(Set(targets + targets).count == 2)
        }
    }

    @Test func `states and nonces are compared in linear time`() throws {
        let state = OAuthState()
        expectQuick {
            #expect(!state.matches("a" + Self.marks))
            #expect(throws: TokenFormatError.self) { try OAuthState(Self.marks) }
            #expect(throws: TokenFormatError.self) { try Nonce(Self.marks) }
        }
    }

    @Test func `a redirect is compared in linear time`() {
        expectQuick {
            #expect(RedirectAddress.query(of: "app:/\(Self.marks)", redirectedTo: "app:/\(Self.other)") == nil)
        }
    }
}
