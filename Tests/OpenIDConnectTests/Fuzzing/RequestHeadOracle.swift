// SPDX-License-Identifier: Apache-2.0

@testable import OpenIDConnect

/// The invariant of every request's head: the listener's parser reads what a second reading, line by line, reads.
enum RequestHeadOracle {
    /// Reads bytes as a head, and as a callback's query in one.
    ///
    /// - Returns: The violated invariant; nil if the input violates no invariant.
    static func complaint(about bytes: [UInt8]) -> String? {
        let request = Array("GET /callback?".utf8) + bytes + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        return [bytes, request].allSatisfy { head($0) == reference($0) } ? nil : "a head is read differently"
    }

    private static func head(_ bytes: [UInt8]) -> RequestHead? {
        var parser = RequestHeadParser(LoopbackLimits())
        do {
            for byte in bytes where try parser.read(byte) { return parser.head }
        } catch {}
        return nil
    }

    private static func reference(_ bytes: [UInt8]) -> RequestHead? {
        let end = bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
        guard let end, end + 4 <= 16_384 else { return nil }
        var lines: [[UInt8]] = [[]]
        for (index, byte) in bytes[..<end].enumerated() {
            if byte == 13, bytes[index + 1] == 10 { continue }
            if byte == 10, index > 0, bytes[index - 1] == 13 {
                lines.append([])
            } else {
                lines[lines.count - 1].append(byte)
            }
        }
        let parts = lines[0].split(separator: 32, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard parts.count == 3, lines[0].allSatisfy({ (32...126).contains($0) }), lines.count <= 101,
            let method = parts.first, !method.isEmpty, method.allSatisfy({ $0 >= "A" && $0 <= "Z" }),
            parts[1].hasPrefix("/") || method == "CONNECT" || method + parts[1] == "OPTIONS*",
            parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0"
        else { return nil }
        var head = RequestHead(method: method, target: parts[1])
        for line in lines.dropFirst() {
            let pair = line.split(separator: 58, maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(decoding: pair[0], as: UTF8.self).lowercased()
            let token = "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~"
            guard pair.count == 2, !name.isEmpty, name.allSatisfy(token.contains),
                pair[1].allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 })
            else { return nil }
            let blanks: [UInt8] = [9, 32]
            let start = pair[1].firstIndex { !blanks.contains($0) } ?? pair[1].endIndex
            let last = pair[1].lastIndex { !blanks.contains($0) }
            let value = last.map { String(decoding: pair[1][start...$0], as: UTF8.self) } ?? ""
            if name == "host" { head.hosts.append(value) }
            head.hasContent = head.hasContent || name == "transfer-encoding" || name == "content-length" && value != "0"
        }
        return head
    }
}
