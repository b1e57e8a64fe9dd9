// SPDX-License-Identifier: Apache-2.0

#if Curl && canImport(CCurl)
import AuthCore
import HTTPTypes

/// A response as it arrives from libcurl, within the limits of its request.
struct CurlResponse {
    private static let maximumHeadSize = 80 * 1_024
    private static let maximumFieldCount = 1_000

    private var head: [UInt8] = []
    private var body: [UInt8] = []
    private var status = 0
    private var isHeadComplete = false
    private var headSize = 0
    private var fieldCount = 0
    private var declaredLength = 0

    /// Adds a line of a head; returns false if the response is too large.
    mutating func add(line: UnsafeRawBufferPointer, to request: TransportRequest) -> Bool {
        headSize += line.count
        fieldCount += 1
        // Interim responses and the fields after a body count too: either could be without end.
        guard headSize <= Self.maximumHeadSize, fieldCount <= Self.maximumFieldCount else { return false }
        if isHeadComplete { return true }
        if unsafe line.first == UInt8(ascii: "\n") || line.count == 2 && line.first == UInt8(ascii: "\r") {
            guard status >= 200 else {
                // An interim response: the next one begins.
                head.removeAll(keepingCapacity: true)
                declaredLength = 0
                return true
            }
            isHeadComplete = true
            // A response to HEAD declares a body that it does not have.
            let hasBody = request.head.method != .head && status != 304 && status != 204
            if hasBody { body.reserveCapacity(min(declaredLength, 1_024 * 1_024)) }
            // Refused before any of the body is read.
            return !hasBody || declaredLength <= request.maximumResponseSize
        }
        if head.isEmpty {
            // After the version, which has eight characters.
            let rest = unsafe line.dropFirst(8).drop { $0 == UInt8(ascii: " ") }
            status = unsafe Self.number(rest.prefix { $0 > UInt8(ascii: " ") }) ?? 0
        }
        let name = "content-length:".utf8
        // Most lines differ in their first letter.
        if line.count > name.count, unsafe line[0] | 0x20 == name.first,
            unsafe ASCIIText.equalIgnoringCase(line.prefix(name.count), name),
            let length = unsafe Self.number(ASCIIText.trimmed(line.dropFirst(name.count)))
        {
            declaredLength = length
        }
        unsafe head.append(contentsOf: line)
        return true
    }

    /// Adds a part of the body; returns false if the response is too large.
    mutating func add(part: UnsafeRawBufferPointer, to request: TransportRequest) -> Bool {
        guard part.count <= request.maximumResponseSize - body.count else { return false }
        unsafe body.append(contentsOf: part)
        return true
    }

    /// Returns the whole response, whose body is then no longer here; throws ``TransportError`` if it has no status.
    mutating func take() throws -> TransportResponse {
        guard (200...999).contains(status) else { throw TransportError(.failed, mayHaveReachedServer: true) }
        var fields = fields
        if !body.isEmpty, fields[.contentEncoding] != nil {
            // libcurl has decoded the body, and these two speak of it as it was sent.
            (fields[.contentEncoding], fields[.contentLength]) = (nil, nil)
        }
        defer { body = [] }
        return TransportResponse(head: HTTPResponse(status: .init(code: status), headerFields: fields), body: body)
    }

    /// The fields of the head, without those whose names HTTP forbids.
    private var fields: HTTPFields {
        var fields = HTTPFields()
        for line in head.split(separator: UInt8(ascii: "\n")).dropFirst() {
            if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
                // A value that goes on in the next line. RFC 9112, 5.2.
                guard let last = fields.indices.last else { continue }
                fields[last].value += " " + Self.text(ASCIIText.trimmed(line))
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(Self.text(line[..<colon]))
            {
                fields.append(HTTPField(name: name, value: Self.text(ASCIIText.trimmed(line[(colon + 1)...]))))
            }
        }
        return fields
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Returns a number of digits alone; one that is too large is the largest.
    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(ASCIIText.isDigit) else { return nil }
        return Int(text(digits)) ?? .max
    }

    /// Overwrites what is here: half a response may hold a token as well as a whole one, which is the caller's.
    mutating func wipe() {
        unsafe head.withUnsafeMutableBytes { unsafe overwrite($0) }
        unsafe body.withUnsafeMutableBytes { unsafe overwrite($0) }
    }
}
#endif
