// SPDX-License-Identifier: Apache-2.0

/// A parser for the challenges of a `WWW-Authenticate` field.
///
/// A comma separates challenges and parameters alike: a name with an equals sign after it belongs to the challenge
/// before it, any other begins a new one. Unreadable text is skipped up to the next comma outside of quotes, and the
/// rest still counts. Time and memory are bounded for any input.
///
/// Wire: `challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ]`.
/// [RFC 9110, 11.3](https://www.rfc-editor.org/rfc/rfc9110#section-11.3).
public struct ChallengeParser {
    private static let maximumLength = 16_384
    private static let maximumChallenges = 32
    private static let maximumParameters = 64

    private struct Draft {
        var scheme: String
        var token68: String?
        var parameters: [String: String] = [:]
    }

    private var scanner: FieldScanner
    private var drafts: [Draft] = []

    private init(_ line: String) {
        scanner = FieldScanner(line)
    }

    /// Reads the challenges of all field lines, in order.
    ///
    /// - Parameter lines: The values of the field's lines. Untrusted.
    /// - Returns: The readable challenges; an empty array if the lines are longer than 16 KiB together.
    public static func challenges(in lines: [String]) -> [AuthenticationChallenge] {
        guard lines.reduce(0, { $0 + $1.utf8.count }) <= maximumLength else { return [] }
        let all = lines.flatMap { line in
            var parser = ChallengeParser(line)
            return parser.parse()
        }
        return Array(all.prefix(maximumChallenges))
    }

    private mutating func parse() -> [AuthenticationChallenge] {
        while !scanner.isAtEnd, drafts.count <= Self.maximumChallenges {
            scanner.skip(while: FieldScanner.isSeparator)
            guard !scanner.isAtEnd else { break }
            if !element() { scanner.skipElement() }
        }
        return drafts.map {
            AuthenticationChallenge(scheme: $0.scheme, token68: $0.token68, parameters: $0.parameters)
        }
    }

    /// Reads the text between two commas, and returns whether it was readable.
    private mutating func element() -> Bool {
        let start = scanner
        if let parameter = parameter() {
            // A parameter before any scheme has no challenge to belong to.
            guard !drafts.isEmpty else { return false }
            add(parameter)
            return scanner.isAtElementEnd
        }
        scanner = start
        guard let scheme = scanner.token() else { return false }
        drafts.append(Draft(scheme: scheme))
        if scanner.isAtElementEnd { return true }
        // A scheme must be followed by a space.
        guard scanner.skip(while: FieldScanner.isSpace) > 0 else {
            drafts.removeLast()
            return false
        }
        return schemeValue()
    }

    /// Reads the text after a scheme and a space: a token68 or the first parameter.
    private mutating func schemeValue() -> Bool {
        let start = scanner
        if let text = scanner.token68(), scanner.isAtElementEnd {
            drafts[drafts.count - 1].token68 = text
            return true
        }
        scanner = start
        guard let parameter = parameter() else { return false }
        add(parameter)
        return scanner.isAtElementEnd
    }

    private mutating func parameter() -> (name: String, value: String)? {
        guard let name = scanner.token() else { return nil }
        scanner.skip(while: FieldScanner.isSpace)
        guard scanner.take(UInt8(ascii: "=")) else { return nil }
        scanner.skip(while: FieldScanner.isSpace)
        guard let value = scanner.quotedString() ?? scanner.token() else { return nil }
        return (name.lowercased(), value)
    }

    private mutating func add(_ parameter: (name: String, value: String)) {
        let last = drafts.count - 1
        guard drafts[last].parameters.count < Self.maximumParameters, drafts[last].parameters[parameter.name] == nil
        else { return }
        drafts[last].parameters[parameter.name] = parameter.value
    }
}
