// Weak references to protocols, and wrappers that keep their value in a class, in readable archives.

import AmberModel
import AmberReadable
import Foundation
import Testing

private protocol ReadableDelegate: AnyObject {}

@propertyWrapper private final class ReadableReference<Value> {
    var wrappedValue: Value
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

private final class ReadableChild: Model {
    weak var delegate: (any ReadableDelegate)?
    @ReadableReference var count = 1
    init() {}
}

private final class ReadableParent: Model, ReadableDelegate {
    var children: [ReadableChild] = []
    init() {}
}

@Suite struct WeakProtocolTests {
    @Test func weakProtocolsAndWrappersWithClasses() throws {
        let parent = ReadableParent()
        parent.children = [ReadableChild(), ReadableChild()]
        parent.children[0].delegate = parent
        parent.children[1].count = 5
        let data = try ReadableEncoder().encode(parent)
        let back = try ReadableDecoder().decode(ReadableParent.self, from: data)
        #expect(back.children.map(\.count) == [1, 5], "\(String(decoding: data, as: UTF8.self))")
        let isParent = back.children.first?.delegate === back
        #expect(isParent)
    }
}
