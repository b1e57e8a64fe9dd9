import APIClient
import AuthCore
import HTTPTypes

/// What goes wrong with one request.
struct AppliedFaults: Sendable {
    let effects: [InProcessProvider.Fault.Effect]

    static let none = AppliedFaults(effects: [])

    /// Why the request does not arrive; nil where it does.
    var unreachable: TransportError.Code? {
        effects.lazy.compactMap { if case .unreachable(let code) = $0 { code } else { nil } }.first
    }

    /// What answers in the provider's place; nil for the provider.
    var answer: ProviderAnswer? {
        effects.lazy.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }.first
    }

    /// Why the answer does not arrive; nil where it does.
    var replyLost: TransportError.Code? {
        effects.lazy.compactMap { if case .replyLost(let code) = $0 { code } else { nil } }.first
    }

    /// What holds the answer back.
    var delays: [@Sendable () async throws -> Void] {
        effects.compactMap { if case .delayed(let wait) = $0 { wait } else { nil } }
    }

    /// What is wrong with a JWT's signature; nil for nothing.
    var signature: InProcessProvider.Fault.Signature? {
        effects.lazy.compactMap { if case .signature(let signature) = $0 { signature } else { nil } }.first
    }

    /// The claims with those that are wrong.
    func applied(to claims: [String: JSONValue]) -> [String: JSONValue] {
        var claims = claims
        for case .claim(let name, let value) in effects { claims[name] = value }
        return claims
    }

    /// The answer with members and fields that are wrong.
    func applied(to answer: ProviderAnswer) -> ProviderAnswer {
        var answer = answer
        if case .members(var members) = answer.content {
            for case .member(let name, let value) in effects { members[name] = value }
            answer.content = .members(members)
        }
        for case .field(let name, let value) in effects {
            guard let name = HTTPField.Name(name) else { continue }
            answer.fields[name] = value
            if value == nil { answer.omittedFields.insert(name) }
        }
        return answer
    }

    /// The callback's parameters with those that are wrong.
    func applied(to parameters: Parameters) -> Parameters {
        var parameters = parameters
        for effect in effects {
            switch effect {
            case .parameter(let name, let value):
                let index = parameters.items.firstIndex { $0.name == name } ?? parameters.items.endIndex
                parameters.items.removeAll { $0.name == name }
                guard let value else { continue }
                parameters.items.insert(InProcessProvider.Parameter(name: name, value: value), at: index)
            case .repeatedParameter(let name, let value):
                parameters.append(name, value ?? parameters[name])
            default:
                continue
            }
        }
        return parameters
    }
}
