// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject> {
    public var wrappedValue: DelegateType { fatalError() }

    public init(_ delegateType: DelegateType.Type = DelegateType.self) {}
}
