/// Names that nobody else has, of letters and digits: for drafts, notes and tests, and no secret.
package enum RandomName {
    /// A name.
    package static func make() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
