// Room:   AmberKeyed / Archive. Classes and the names that archives give them.
// Takes:  a class or a name. Gives: the name an Apple program would write; the class of this program.
// Touches: the runtime's look-up by name. Never: an instance.
//
// Apple's runtime calls a top-level Swift class "Module.Name" and any other by an old mangled form:
// `_TtCC6Module5Outer5Inner` is the class Inner in the class Outer, `_TtC6ModuleP33_<32 hex digits>4Name` a private
// one. Swift itself mangles them `6Module5OuterC5InnerC` and `6Module4Name33_<32 hex digits>LLC`, with substitutions
// for repeated words, which are left alone: a class with such a name keeps the new form behind "_$s".

import AmberModel
import Foundation

enum ClassNames {
    /// The name under which `type` is archived when nobody has mapped it.
    static func name(of type: AnyClass) -> String {
        if let known = FoundationClasses.archiveName(of: type) { return known }
        let qualified = _typeName(type, qualified: true)
        // The runtime knows a private context by its address alone: a name with it would not outlive the process.
        if qualified.contains("(unknown context at ") { return withoutContexts(qualified) }
        guard let mangled = _mangledTypeName(type) else { return qualified }
        guard let path = parse(mangled) else {
            return qualified.contains(where: { "<( ".contains($0) }) ? "_$s" + mangled : qualified
        }
        if path.names.count == 1, path.discriminator == nil {
            return path.module == "Foundation" ? path.names[0] : "\(path.module).\(path.names[0])"
        }
        // A private name stands under its file's discriminator only at the last step: deeper ones keep the new form.
        var text = "_Tt" + path.kinds.reversed().map(String.init).joined() + counted(path.module)
        for (index, name) in path.names.enumerated() {
            if index == path.names.count - 1, let discriminator = path.discriminator {
                text += "P" + counted(discriminator)
            }
            text += counted(name)
        }
        return text
    }

    /// The name of a class in errors: that of archives, unless it is mangled.
    static func shown(_ type: AnyClass) -> String {
        let name = self.name(of: type)
        return name.hasPrefix("_") ? codingName(of: type) : name
    }

    /// The class of this program that an archive calls `name`, found without any registration.
    static func type(named name: String) -> AnyClass? {
        if let known = FoundationClasses.type(named: name) { return known }
        // The runtime's look-up parses what it is given: names beyond any reason are not shown to it.
        guard !name.isEmpty, name.utf8.count <= 512, name.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else {
            return nil
        }
        if let mangled = newForm(name) { return _typeByName(mangled) as? AnyClass }
        if name.hasPrefix("_$s") { return _typeByName(String(name.dropFirst(3))) as? AnyClass }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ isIdentifier($0) }) else { return nil }
        var mangled = ""
        for (index, part) in parts.enumerated() { mangled += counted(String(part)) + (index > 0 ? "C" : "") }
        return _typeByName(mangled) as? AnyClass
    }

    /// Whether an archive's `name` may mean `type`, where the runtime can't find the class: private classes are known to
    /// it by their metadata only, and Apple's name for them holds a digest of their file.
    static func mayMean(_ name: String, _ type: AnyClass) -> Bool {
        if let model = type as? any ModelProtocol.Type {
            let rules = ModelRules.combined(of: model)
            if rules.name == name || rules.formerNames.contains(name) { return true }
        }
        let own = self.name(of: type)
        return own == name || dotted(name) == own
    }

    /// Whether an archive's `name` is that of the generic class that `type` is made of, whatever its arguments are.
    static func isSameGeneric(_ name: String, _ type: AnyClass) -> Bool {
        guard let own = genericPrefix(self.name(of: type)) else { return false }
        return name.hasPrefix(own)
    }

    /// `_$s6Module3BoxCy` of `_$s6Module3BoxCySiG`.
    private static func genericPrefix(_ name: String) -> String? {
        guard name.hasPrefix("_$s"), name.hasSuffix("G") else { return nil }
        var scanner = Scanner(String(name.dropFirst(3)))
        guard let module = scanner.counted() else { return nil }
        var prefix = "_$s" + counted(module)
        while let step = scanner.counted() {
            guard let kind = scanner.next(), "CVO".contains(kind) else { return nil }
            prefix += counted(step) + String(kind)
            if scanner.take("y") { return kind == "C" ? prefix + "y" : nil }
        }
        return nil
    }

    /// `_TtC6ModuleP33_<32 hex digits>4Name` as `Module.Name`.
    private static func dotted(_ name: String) -> String? {
        guard let mangled = newForm(name) else { return nil }
        guard let path = parse(mangled) else { return nil }
        return ([path.module] + path.names).joined(separator: ".")
    }

    private static func withoutContexts(_ name: String) -> String {
        var rest = name[...]
        var text = ""
        while let start = rest.range(of: "(unknown context at ") {
            text += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].range(of: ").") else { return name }
            rest = rest[end.upperBound...]
        }
        return text + rest
    }

    private static func counted(_ text: String) -> String {
        "\(text.utf8.count)\(text)"
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return text.unicodeScalars.allSatisfy {
            $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
    }

    private struct Path {
        var module: String
        var names: [String] = []
        var kinds: [Character] = []
        var discriminator: String?
    }

    /// Takes `6Module5OuterC5InnerC` apart; nil for anything with substitutions, generics or local types.
    private static func parse(_ mangled: String) -> Path? {
        var scanner = Scanner(mangled)
        guard let module = scanner.counted() else { return nil }
        var path = Path(module: module)
        while !scanner.isAtEnd {
            guard path.discriminator == nil, let name = scanner.counted() else { return nil }
            if let discriminator = scanner.counted() {
                guard scanner.take("LL") else { return nil }
                path.discriminator = discriminator
            }
            guard let kind = scanner.next(), "CVO".contains(kind) else { return nil }
            path.names.append(name)
            path.kinds.append(kind)
        }
        return path.kinds.last == "C" ? path : nil
    }

    /// `_TtCC6Module5Outer5Inner` in the form that this runtime looks up.
    private static func newForm(_ name: String) -> String? {
        guard name.hasPrefix("_Tt") else { return nil }
        var scanner = Scanner(String(name.dropFirst(3)))
        var kinds: [Character] = []
        while let kind = scanner.peek, "CVO".contains(kind) {
            kinds.append(kind)
            _ = scanner.next()
        }
        guard !kinds.isEmpty, kinds.count < 32, let module = scanner.counted() else { return nil }
        var text = counted(module)
        for kind in kinds.reversed() {
            var discriminator: String?
            if scanner.take("P") {
                discriminator = scanner.counted()
                guard discriminator != nil else { return nil }
            }
            guard let step = scanner.counted() else { return nil }
            text += counted(step)
            if let discriminator { text += counted(discriminator) + "LL" }
            text.append(kind)
        }
        return scanner.isAtEnd ? text : nil
    }

    private struct Scanner {
        private let characters: [Character]
        private var position = 0

        init(_ text: String) {
            characters = Array(text)
        }

        var isAtEnd: Bool { position == characters.count }
        var peek: Character? { position < characters.count ? characters[position] : nil }

        mutating func next() -> Character? {
            guard let character = peek else { return nil }
            position += 1
            return character
        }

        mutating func take(_ text: String) -> Bool {
            let wanted = Array(text)
            guard characters.count - position >= wanted.count,
                Array(characters[position..<position + wanted.count]) == wanted
            else { return false }
            position += wanted.count
            return true
        }

        /// Reads a count and that many characters.
        mutating func counted() -> String? {
            var length = 0
            let start = position
            // A leading zero announces substitutions.
            guard let first = peek, first != "0" else { return nil }
            while let character = peek, character.isASCII, let digit = character.wholeNumberValue {
                length = length * 10 + digit
                position += 1
                guard length < 1024 else { return nil }
            }
            // Swift writes an underscore between the count and a name that begins with a digit or one.
            if length > 0, peek == "_", position + 1 + length <= characters.count, length != 33 {
                let rest = characters[(position + 1)..<(position + 1 + length)]
                if let head = rest.first, head.isNumber || head == "_" { position += 1 }
            }
            guard length > 0, position + length <= characters.count else {
                position = start
                return nil
            }
            let text = String(characters[position..<position + length])
            position += length
            return text
        }
    }
}
