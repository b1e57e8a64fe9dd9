// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public final class LAContext: NSObject {
    public var interactionNotAllowed = false
    public var localizedReason = ""
    /// Whether the user has proved to be present; the system's type shows it in no property.
    public var standInIsAuthenticated = false

    override public init() {}
}
