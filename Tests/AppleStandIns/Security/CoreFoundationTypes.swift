// SPDX-License-Identifier: Apache-2.0

// The names are the system's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// The arguments and results of the system's calls, as far as Swift without Objective-C can express them.
///
/// On Apple systems these are classes, and `as CFDictionary` bridges; here the same code is a coercion to the same
/// type.
public typealias CFString = String
public typealias CFDictionary = [CFString: Any]
public typealias CFTypeRef = Any
public typealias OSStatus = Int32
