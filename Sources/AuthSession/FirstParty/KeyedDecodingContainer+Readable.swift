// SPDX-License-Identifier: Apache-2.0

extension KeyedDecodingContainer {
    /// Returns a member of the requested type; nil if it is absent, null, or of another type.
    ///
    /// Use this for descriptive members: a malformed one must not cost a user the session.
    func readable<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)) ?? nil
    }
}
