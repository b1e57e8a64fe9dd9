extension KeyedDecodingContainer {
    /// A member that has the type that is asked for; nil if it is absent, null, or of another type.
    ///
    /// For what only describes what came with it: a server that writes it wrong must cost nobody a session.
    func readable<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) -> Value? {
        (try? decodeIfPresent(Value.self, forKey: key)) ?? nil
    }
}
