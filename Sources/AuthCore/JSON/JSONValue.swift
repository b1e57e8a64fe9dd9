// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON value of any shape, for claims without a type of their own.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A whole number that fits 64 bits, however it is written: `1.0` is `1`.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])

    /// The text; nil if the value is not a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The Boolean; nil if the value is not one.
    public var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The number; nil if the value is not a whole number that fits 64 bits.
    public var integer: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, whole or not, as the nearest double; nil if the value is not a number.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The elements; nil if the value is not a list.
    public var array: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members; nil if the value is not an object.
    public var object: [String: JSONValue]? {
        if case .object(let members) = self { members } else { nil }
    }
}

/// Compares strings and names by their bytes.
///
/// `String` compares characters: in quadratic time for long runs of combining marks, and two spellings of one character
/// are equal.
extension JSONValue: Hashable {
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { right[exactly: $0.key] == $0.value }
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null, .boolean, .integer, .number: hasher.combine(boolean.map { $0 ? 1 : 0 } ?? number)
        case .string(let value): hasher.combine(Array(value.utf8))
        case .array(let elements): hasher.combine(elements)
        // The members have no order.
        case .object(let members): hasher.combine(members.count)
        }
    }
}

extension [String: JSONValue] {
    /// Returns the member of a name, compared byte for byte.
    ///
    /// [RFC 7515, 5.3](https://www.rfc-editor.org/rfc/rfc7515#section-5.3): without normalization, which `String`
    /// would apply.
    package subscript(exactly name: String) -> JSONValue? {
        guard let index = index(forKey: name), self[index].key.utf8.elementsEqual(name.utf8) else { return nil }
        return self[index].value
    }
}

extension JSONValue {
    /// Parses a JSON text as strictly as a token's.
    ///
    /// - Parameters:
    ///   - bytes: The text. Untrusted; may contain secrets.
    ///   - maximumDepth: The deepest allowed nesting of lists and objects, in levels; at most 64.
    package init(parsing bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) {
        self = try JSONParser.parse(bytes, maximumDepth: maximumDepth)
    }

    /// Parses a JSON text, which must be an object, and returns its members.
    package static func object(in bytes: [UInt8], maximumDepth: Int = 64) throws(JSONError) -> [String: JSONValue] {
        guard case .object(let members) = try JSONValue(parsing: bytes, maximumDepth: maximumDepth) else {
            throw .notAnObject
        }
        return members
    }

    /// Writes an object as a JSON text, with its members sorted by name.
    ///
    /// - Throws: `EncodingError` for a number that JSON can't represent.
    package static func text(of members: [String: JSONValue]) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(members))
    }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
