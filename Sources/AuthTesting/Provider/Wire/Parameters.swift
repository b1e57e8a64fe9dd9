import APIClient

/// The parameters of a form or a query, in order.
///
/// [RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B).
struct Parameters: Sendable {
    var items: [InProcessProvider.Parameter] = []

    init(_ items: [InProcessProvider.Parameter] = []) {
        self.items = items
    }

    /// Decodes; nil where an escape is broken or the bytes are no UTF-8.
    init?(formEncoded text: some Sequence<UInt8>) {
        for pair in Array(text).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decode(parts[0]), let value = Self.decode(parts.count > 1 ? parts[1] : []) else {
                return nil
            }
            items.append(InProcessProvider.Parameter(name: name, value: value))
        }
    }

    /// One parameter's value; nil also where it is empty, which counts as left out (RFC 6749, 3.1).
    subscript(name: String) -> String? {
        items.first { $0.name == name }.map(\.value).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether no name comes twice.
    ///
    /// `resource` may: RFC 8707, 2.
    var isUnambiguous: Bool {
        let names = items.map(\.name).filter { $0 != "resource" }
        return Set(names).count == names.count
    }

    /// All values of one name.
    func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    mutating func append(_ name: String, _ value: String?) {
        if let value { items.append(InProcessProvider.Parameter(name: name, value: value)) }
    }

    /// An address with these parameters behind those that it has.
    func appended(to url: String) -> String {
        guard !items.isEmpty else { return url }
        let query = RequestTarget.query(items.map { QueryItem(name: $0.name, value: $0.value) })
        return url + (url.contains("?") ? "&" : "?") + query
    }

    /// One name or value; nil where an escape is broken or the bytes are no UTF-8.
    static func decode(_ part: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(part)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                rest = rest.dropFirst(2)
                // Not all that a number may begin with: a sign is no digit.
                guard digits.count == 2, digits.first != UInt8(ascii: "+"),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
            default:
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
