// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// What the system's calls are given and give back, as far as Swift without Objective-C can say it.
///
/// On Apple systems these are classes, and `as CFDictionary` bridges; here the same code is a coercion to the same type.
public typealias CFString = String
public typealias CFDictionary = [CFString: Any]
public typealias CFTypeRef = Any
public typealias OSStatus = Int32
