/// Why a text is no JSON that is taken here.
enum JSONFault: Error {
    /// Not what RFC 8259 calls JSON.
    case syntax
    /// JSON, but no object.
    case notAnObject
    /// An object names a member twice.
    case duplicateMember
    /// A member's name, not plain ASCII, is longer than is compared.
    case nameTooLong
    /// Lists and objects in each other, deeper than allowed.
    case tooDeep
}
