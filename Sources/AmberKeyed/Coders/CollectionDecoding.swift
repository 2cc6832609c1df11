// Room:   AmberKeyed / Coders. Arrays and dictionaries of given classes, as Apple's NSCoder decodes them.
// Takes:  a key and the classes of the elements. Gives: a Swift collection whose every element is of them.
// Touches: the coder, through its public methods.

import AmberModel
public import Foundation

#if !canImport(Darwin)
    extension NSCoder {
        /// Reads an array whose elements are all of one class.
        ///
        /// - Parameters:
        ///   - cls: The elements' class.
        ///   - key: The key.
        /// - Returns: The elements; nil if there is no array, or it holds anything else.
        public func decodeArrayOfObjects<Element: NSObject & NSCoding>(
            ofClass cls: Element.Type, forKey key: String
        ) -> [Element]? {
            collected(elements(of: [cls], forKey: key)) { $0 as? Element }
        }

        /// Reads an array whose elements are all of some classes.
        ///
        /// - Parameters:
        ///   - classes: The elements' classes.
        ///   - key: The key.
        /// - Returns: The elements; nil if there is no array, or it holds anything else.
        public func decodeArrayOfObjects(ofClasses classes: [AnyClass], forKey key: String) -> [Any]? {
            let gate = ClassGate(classes)
            return collected(elements(of: classes, forKey: key)) { gate.allows(type(of: $0)) ? $0 : nil }
        }

        /// Reads a dictionary whose keys are all of one class and whose values are all of another.
        ///
        /// - Parameters:
        ///   - keyClass: The keys' class.
        ///   - objectClass: The values' class.
        ///   - key: The key.
        /// - Returns: The dictionary; nil if there is none, or it holds anything else.
        public func decodeDictionary<Key: NSObject & NSCopying & NSCoding, Value: NSObject & NSCoding>(
            withKeysOfClass keyClass: Key.Type, objectsOfClass objectClass: Value.Type, forKey key: String
        ) -> [Key: Value]? {
            let classes: [AnyClass] = [NSDictionary.self, keyClass, objectClass]
            guard let dictionary = decodeObject(of: classes, forKey: key) as? NSDictionary else { return nil }
            let pairs = FoundationStorage.pairs(of: dictionary)
            guard let keys = collected(pairs.keys, { $0 as? Key }),
                let values = collected(pairs.values, { $0 as? Value })
            else { return nil }
            return Dictionary(zip(keys, values), uniquingKeysWith: { first, _ in first })
        }

        private func elements(of classes: [AnyClass], forKey key: String) -> [AnyObject]? {
            let array = decodeObject(of: [NSArray.self] + classes, forKey: key) as? NSArray
            return array.map { FoundationStorage.objects(of: $0) }
        }

        /// All of the objects converted, or nil and a failure of the coder.
        private func collected<T>(_ objects: [AnyObject]?, _ convert: (AnyObject) -> T?) -> [T]? {
            guard let objects else { return nil }
            let converted = objects.compactMap(convert)
            guard converted.count == objects.count else {
                failWithError(
                    KeyedFailure(.typeMismatch, "A collection holds objects of other classes than were asked for.")
                        .decoding)
                return nil
            }
            return converted
        }
    }
#endif
