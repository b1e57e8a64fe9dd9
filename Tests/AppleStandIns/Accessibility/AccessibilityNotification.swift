// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What a screen reader is told.
public enum AccessibilityNotification {
    /// A text that is read aloud.
    public struct Announcement {
        public init(_ text: String) {}
        public func post() {}
    }
}
