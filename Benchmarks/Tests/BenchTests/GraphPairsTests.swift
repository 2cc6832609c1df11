// Room:   BenchTests. The proof of equality must see what is not equal.

import Testing

@testable import amber_bench

@Suite struct GraphPairsTests {
    @Test func copiesOfACyclicGraphMatch() {
        let people = Person.make(count: 200)
        let copy = PersonRow.link(PersonRow.flatten(people))
        #expect(Person.areEqual(people, copy))
        Person.takeApart(people)
        Person.takeApart(copy)
    }

    @Test func aSharedInstanceThatCameBackTwiceIsSeen() {
        let (first, second) = (Person(), Person())
        let shared = Person()
        first.friends = [shared]
        second.friends = [shared]
        let (otherFirst, otherSecond) = (Person(), Person())
        otherFirst.friends = [Person()]
        otherSecond.friends = [Person()]
        #expect(!Person.areEqual([first, second], [otherFirst, otherSecond]))
        #expect(!Person.areEqual([otherFirst, otherSecond], [first, second]))
    }

    @Test func aWeakReferenceThatGotLostIsSeen() {
        let (person, other) = (Person(), Person())
        person.boss = person
        #expect(!Person.areEqual([person], [other]))
        other.boss = other
        #expect(Person.areEqual([person], [other]))
    }

    @Test func aReferenceToAnEqualButOtherInstanceIsSeen() {
        let people = [Person(), Person()]
        people[0].friends = [people[1]]
        let others = [Person(), Person()]
        others[0].friends = [others[0]]
        #expect(!Person.areEqual(people, others))
        Person.takeApart(others)
    }

    @Test func listsOfDifferentLengthDoNotMatch() {
        let (long, short) = (ListNode.make(count: 1_000), ListNode.make(count: 999))
        #expect(!ListNode.areEqual(long, short))
        ListNode.takeApart(long)
        ListNode.takeApart(short)
    }

    @Test func aChangedValueDeepInATreeIsSeen() {
        let (tree, copy) = (TreeNode.make(depth: 3), TreeNode.make(depth: 3))
        #expect(TreeNode.areEqual(tree, copy))
        copy.children[4].children[2].children[9].value += 1
        #expect(!TreeNode.areEqual(tree, copy))
    }
}
