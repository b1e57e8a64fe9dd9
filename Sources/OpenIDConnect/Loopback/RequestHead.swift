// SPDX-License-Identifier: Apache-2.0

#if os(Linux) || os(macOS)
import AuthCore
import HTTPTypes

/// The head of a request, as far as the listener cares (RFC 9112, 3).
struct RequestHead: Equatable {
    var method = ""
    var target = ""
    var hosts: [String] = []
    /// Whether a field announces content.
    var hasContent = false

    struct Refusal: Error {
        var status = HTTPResponse.Status.badRequest
    }
}

/// A parser of a head that refuses what no browser sends, at its first wrong byte or line.
struct RequestHeadParser {
    private(set) var head = RequestHead()
    private let limits: LoopbackLimits
    private var line: [UInt8] = []
    private var (size, fieldCount) = (0, 0)

    init(_ limits: LoopbackLimits) { self.limits = limits }

    private var isInFields: Bool { !head.method.isEmpty }
    /// Whether a response must have no content (RFC 9110, 9.3.2).
    var isHEAD: Bool { head.method == "HEAD" || !isInFields && line.starts(with: "HEAD ".utf8) }

    /// Reads the next byte, and returns whether the head is complete.
    mutating func read(_ byte: UInt8) throws(RequestHead.Refusal) -> Bool {
        size += 1
        switch (line.last, byte) {
        case (0x0D, 0x0A):
            line.removeLast()
            if isInFields, line.isEmpty { return true }
            if isInFields { try readField() } else { try readRequestLine() }
            line = []
        // A CR or LF alone ends the line for some readers and not for others. RFC 9112, 2.2.
        case (0x0D, _): throw .init()
        case (_, 0x0D), (_, 0x20...0x7E): line.append(byte)
        case (_, 0x09) where isInFields, (_, 0x80...) where isInFields: line.append(byte)
        default: throw .init()
        }
        if size >= limits.headSize { throw .init(status: .requestHeaderFieldsTooLarge) }
        return false
    }

    private mutating func readRequestLine() throws(RequestHead.Refusal) {
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy({ (0x41...0x5A).contains($0) }),
            // Clients send whole URLs only to proxies. HTTP/2 begins with `PRI *`.
            parts[1].first == "/" || parts[0] == "CONNECT" || parts[..<2] == ["OPTIONS", "*"],
            parts[2].hasPrefix("HTTP/")
        else { throw .init() }
        (head.method, head.target) = (String(parts[0]), String(parts[1]))
        guard ["HTTP/1.1", "HTTP/1.0"].contains(parts[2]) else { throw .init(status: .httpVersionNotSupported) }
    }

    private mutating func readField() throws(RequestHead.Refusal) {
        fieldCount += 1
        if fieldCount > limits.fieldCount { throw .init(status: .requestHeaderFieldsTooLarge) }
        // RFC 9112, 5.1 and 5.2: 400 for a space before the colon, and for a line that continues a field.
        let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let name = HTTPField.Name(String(decoding: parts[0], as: UTF8.self)) else {
            throw .init()
        }
        let value = String(decoding: ASCIIText.trimmed(parts[1]), as: UTF8.self)
        if name.canonicalName == "host" { head.hosts.append(value) }
        if name == .transferEncoding || name == .contentLength && value != "0" { head.hasContent = true }
    }
}
#endif
