// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct TextField: SystemView {
    public init(_ title: LocalizedStringKey, text: Binding<String>) {}
}

/// The content of a text field; the system has a type of its own for each platform.
public struct TextContentType: Sendable {
    public static let name = TextContentType()
    public static let telephoneNumber = TextContentType()
}

extension View {
    public func textContentType(_ type: TextContentType?) -> some View { OpaqueView([self]) }
    public func onSubmit(_ action: @escaping () -> Void) -> some View { OpaqueView([self]) }
}
