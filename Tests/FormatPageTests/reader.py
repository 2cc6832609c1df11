#!/usr/bin/env python3
# Room:   FormatPageTests. A second reader of the binary format, written from Documentation/BinaryFormat.md alone.
# Takes:  archives: files, or hex with comments. Gives: each as one line of JSON, or as annotated bytes (--trace).
# Touches: the files given. Shares no code with the library, and needs nothing but Python.
"""Usage: reader.py [--trace] FILE...   (.amber: bytes; all others: hex, comments from ; on)"""
import json
import struct
import sys
import uuid
from decimal import Decimal

sys.setrecursionlimit(10_000)
KINDS = {1: (1, "Bool"), 2: (1, "Int8"), 3: (2, "Int16"), 4: (4, "Int32"), 5: (8, "Int64"), 6: (1, "UInt8"),
         7: (2, "UInt16"), 8: (4, "UInt32"), 9: (8, "UInt64"), 10: (16, "Int128"), 11: (16, "UInt128"),
         12: (4, "Float32"), 13: (8, "Float64"), 14: (8, "Date"), 15: (16, "UUID"), 16: (20, "Decimal")}
STRING, DATA, OPTIONAL, ARRAY, SET, DICTIONARY, TUPLE, NAMED, REFERENCE, EXISTENTIAL, CODABLE = range(0x20, 0x2b)
NAMES = {STRING: "String", DATA: "Data", OPTIONAL: "Optional", ARRAY: "Array", SET: "Set", DICTIONARY: "Dictionary",
         TUPLE: "tuple", NAMED: "definition", REFERENCE: "reference", EXISTENTIAL: "existential", CODABLE: "Codable"}
KIND_NAMES = {**{kind: name for kind, (_, name) in KINDS.items()},
              0x11: "null", 0x12: "String", 0x13: "Data", 0x14: "array", 0x15: "record", 0x16: "map"}
STRUCT, CLASS, ENUM = 1, 2, 3
ROW_LIMIT, DEPTH, TYPE_DEPTH, PLAIN_LIMIT = 8, 64, 64, 65_536


class Refused(Exception):
    pass


def need(condition, reason):
    if not condition:
        raise Refused(reason)


class Reader:
    def __init__(self, data):
        self.data, self.at, self.marks, self.depth = data, 0, [], 0
        self.budget = (64 << 20) + 64 * len(data)
        self.definitions, self.dynamic, self.strings, self.pools = [], [], [], []
        self.objects, self.plain = 0, []

    # Bytes

    def take(self, size, note=""):
        need(0 <= size <= len(self.data) - self.at, f"{size} bytes expected at {self.at}")
        self.at += size
        self.marks.append((self.at, note))
        return self.data[self.at - size:self.at]

    def byte(self, note=""):
        return self.take(1, note)[0]

    def varint(self, note=""):
        start, value = self.at, 0
        for index in range(10):
            need(start + index < len(self.data), "a number is cut")
            byte = self.data[start + index]
            value |= (byte & 0x7f) << 7 * index
            if byte < 0x80:
                need(value < 1 << 64 and (byte or not index), "a number is too long")
                self.take(index + 1, note.replace("#", str(value)))
                return value
        raise Refused("a number is too long")

    def zigzag(self, note=""):
        mark = len(self.marks)
        value = self.varint()
        value = -(value + 1 >> 1) if value & 1 else value >> 1
        self.marks[mark] = (self.at, note.replace("#", str(value)))
        return value

    def count(self, note="", each=0):
        value = self.varint(note)
        need(value < 1 << 63, "a count is too large")
        self.pay(value * each)
        return value

    def text(self, note=""):
        return self.utf8(self.take_sized(note))

    def take_sized(self, note):
        size = self.count()
        del self.marks[-1]
        data = self.take(size)
        self.marks[-1] = (self.at, note.replace("#", repr(data)[1:]))
        return data

    @staticmethod
    def utf8(data):
        try:
            return bytes(data).decode("utf-8")
        except UnicodeDecodeError as error:
            raise Refused("a string is not UTF-8") from error

    def pay(self, price):
        self.budget -= price
        need(self.budget >= 0, "the archive asks for too much")

    def deeper(self, read, *arguments):
        self.depth += 1
        need(self.depth <= DEPTH, "values are nested too deep")
        result = read(*arguments)
        self.depth -= 1
        return result

    # Header and schema

    def archive(self):
        need(self.data[:4] == b"AMBR", "not an archive")
        self.take(4, '"AMBR"')
        need(self.byte("version 1") == 1, "unknown version")
        flags = self.byte("flags: " + (", ".join(
            name for bit, name in enumerate(["fingerprint", "more types", "objects"])
            if len(self.data) > 5 and self.data[5] >> bit & 1) or "none"))
        need(flags < 8, "unknown flags")
        need(not flags & 1, "no schema: only a program that has it can read this")
        size = self.count("schema: # bytes")
        end = self.at + size
        root = self.wire("root: ")
        self.read_definitions("#")
        need(self.at == end, "the schema has another size")
        if flags & 2:
            self.read_definitions("# more")
            for number in range(self.count("dynamic types: #")):
                self.dynamic.append((self.text(f"dynamic type {number}: #"), self.wire()))
        self.check_types()
        if flags & 4:
            self.read_pools()
        self.marks.append((self.at, "|"))
        result = {"root": self.batch(root, 1)[0]}
        objects = []
        for definition, count in self.pools:
            for values in self.members_batch(definition, count):
                objects.append({definition[1]: values})
        if objects:
            result["objects"] = objects
        need(not any(self.take(self.count("ballast: # bytes"))), "the ballast is not zero")
        need(self.at == len(self.data), "bytes follow the end")
        return result

    def wire(self, note="", depth=0):
        need(depth < TYPE_DEPTH, "types are nested too deep")
        code = self.byte()
        need(code in KINDS or code in NAMES, f"unknown wire type {code:#x}")
        self.marks[-1] = (self.at, note + (KINDS[code][1] if code in KINDS else NAMES[code]))
        if code in (OPTIONAL, ARRAY, SET):
            return code, self.wire("of ", depth + 1)
        if code == DICTIONARY:
            return code, self.wire("of ", depth + 1), self.wire("and ", depth + 1)
        if code == TUPLE:
            return code, [(self.text("label #"), self.wire("", depth + 1)) for _ in range(self.count("of #", 16))]
        if code == NAMED:
            return code, self.count("#")
        return (code,)

    def read_definitions(self, note):
        for _ in range(self.count(f"definitions: {note}", 64)):
            number = len(self.definitions)
            kind = self.byte()
            need(kind in (STRUCT, CLASS, ENUM), "unknown kind of definition")
            self.marks[-1] = (self.at, f"{number}: " + ["struct", "class", "enum"][kind - 1])
            name = self.text("named #")
            if kind != ENUM:
                self.count("version #")
            members = []
            for _ in range(self.count("cases: #" if kind == ENUM else "properties: #", 16)):
                label = self.text("#")
                if kind != ENUM:
                    members.append((label, self.wire()))
                    continue
                flags = self.byte()
                need(flags < 4, "unknown flags of a case")
                self.marks[-1] = (self.at, "raw value" if flags & 2 else "payload" if flags & 1 else "no payload")
                if flags & 2:
                    self.text("#")
                members.append((label, self.wire() if flags & 1 else None))
            self.definitions.append((kind, name, members))

    def check_types(self):
        """Every wire type 27 must name a struct or enum. Then the sizes of plain structs, without recursion over them."""
        def named(wire):
            for part in wire[1:]:
                if wire[0] == NAMED:
                    yield part
                elif wire[0] == TUPLE:
                    for _, member in part:
                        yield from named(member)
                else:
                    yield from named(part)
        for wire in [member for _, _, members in self.definitions for _, member in members if member] + [
                wire for _, wire in self.dynamic]:
            for number in named(wire):
                need(number < len(self.definitions) and self.definitions[number][0] != CLASS, "a type names none")
        self.plain = [None] * len(self.definitions)
        for start in range(len(self.definitions)):
            stack, seen = [start], set()
            while stack:
                number = stack[-1]
                kind, _, members = self.definitions[number]
                inner = [n for _, wire in members if wire and wire[0] in (NAMED, TUPLE) for n in named(wire)]
                waiting = [n for n in inner if n not in seen and n != number and self.plain[n] is None]
                seen.add(number)
                if kind == STRUCT and self.plain[number] is None and waiting:
                    stack.extend(waiting)
                    continue
                stack.pop()
                if kind == STRUCT and not self.plain[number]:
                    self.plain[number] = self.plain_sum(members) or 0

    def plain_sum(self, members):
        sizes = [self.plain_size(wire) for _, wire in members]
        return sum(sizes) if sizes and all(sizes) and sum(sizes) <= PLAIN_LIMIT else None

    def plain_size(self, wire):
        """The bytes of a plain number, struct or tuple; None for all else."""
        if wire[0] in KINDS:
            return KINDS[wire[0]][0] if wire[0] not in (1, 16) else None
        if wire[0] == TUPLE:
            return self.plain_sum(wire[1])
        return (self.plain[wire[1]] or None) if wire[0] == NAMED else None

    def read_pools(self):
        count, seen = self.count("pools: #", 16), set()
        need(count > 0, "no pools")
        for _ in range(count):
            number = self.count("class #")
            need(number < len(self.definitions) and self.definitions[number][0] == CLASS, "a pool is of no class")
            need(number not in seen, "two pools of one class")
            seen.add(number)
            size = self.count("# objects", 16)
            need(size > 0, "an empty pool")
            self.pools.append((self.definitions[number], size))
            self.objects += size

    # Batches and rows

    def batch(self, wire, n):
        return [self.row(wire) for _ in range(n)] if n < ROW_LIMIT else self.column(wire, n)

    def members_batch(self, definition, n):
        members = definition[2]
        if n < ROW_LIMIT:
            return [{label: self.row(wire) for label, wire in members} for _ in range(n)]
        return self.member_columns(members, n)

    def row(self, wire):
        code = wire[0]
        if code in KINDS:
            return self.row_scalar(code)
        if code == STRING:
            return self.row_string()
        if code == DATA:
            return {"data": self.take_sized("data").hex()}
        if code == REFERENCE:
            return self.reference(self.varint("object #"))
        return self.deeper(self.nested_row, wire)

    def nested_row(self, wire):
        code = wire[0]
        if code == OPTIONAL:
            flag = self.byte("nil, or a value")
            need(flag < 2, "neither nil nor a value")
            self.marks[-1] = (self.at, "a value" if flag else "nil")
            return self.some(wire, self.row(wire[1])) if flag else None
        if code in (ARRAY, SET):
            elements = self.batch(wire[1], self.count("# elements", 8))
            return elements if code == ARRAY else {"set": elements}
        if code == DICTIONARY:
            n = self.count("# entries", 16)
            keys = self.batch(wire[1], n)
            return {"dictionary": [list(pair) for pair in zip(keys, self.batch(wire[2], n))]}
        if code == TUPLE:
            return {"tuple": {label: self.row(member) for label, member in wire[1]}}
        if code == NAMED:
            kind, name, members = self.definition(wire[1])
            if kind == STRUCT:
                return {name: {label: self.row(member) for label, member in members}}
            tag = self.count("case #")
            need(tag < len(members), "no such case")
            label, payload = members[tag]
            return {f"{name}.{label}": self.row(payload) if payload else None}
        if code == EXISTENTIAL:
            number = self.count("type #")
            if number == 0:
                return self.reference(self.varint("object #"), False)
            need(number <= len(self.dynamic), "no such dynamic type")
            name, inner = self.dynamic[number - 1]
            return {"any": name, "value": self.row(inner)}
        return self.slot(1)[0]

    @staticmethod
    def some(wire, value):
        return {"some": value} if wire[1][0] == OPTIONAL else value

    def definition(self, number):
        need(number < len(self.definitions) and self.definitions[number][0] != CLASS, "a type names none")
        return self.definitions[number]

    def reference(self, number, may_be_nil=True):
        need(number <= self.objects and (number or may_be_nil), "no such object")
        return {"object": number} if number else None

    def row_scalar(self, code):
        size, name = KINDS[code]
        if code in (1, 2, 6) or code >= 10:
            value = self.scalar(code, self.take(size, name))
            need(code != 1 or value in (False, True), "neither false nor true")
            return value
        return self.fitting(code, self.zigzag(f"{name} #") if code < 6 else self.varint(f"{name} #"))

    @staticmethod
    def fitting(code, value):
        bits = KINDS[code][0] * 8
        if code == 1:
            need(value in (0, 1), "neither false nor true")
            return bool(value)
        low, high = (-(1 << bits - 1), 1 << bits - 1) if code < 6 else (0, 1 << bits)
        need(low <= value < high, "a number does not fit")
        return value

    @staticmethod
    def scalar(code, data):
        if code == 1:
            return {0: False, 1: True}.get(data[0], data[0])
        if code in (12, 13, 14):
            value = struct.unpack("<f" if code == 12 else "<d", data)[0]
            finite = value - value == 0
            value = value if finite else {"nan": data[::-1].hex()}
            return {"date": value} if code == 14 else value
        if code == 15:
            return {"uuid": str(uuid.UUID(bytes=bytes(data))).upper()}
        if code == 16:
            exponent, flags, zero = struct.unpack("<bBH", data[:4])
            need(flags < 64 and flags & 15 <= 8 and zero == 0, "not a Decimal")
            if flags & 15 == 0:
                return {"decimal": "NaN" if flags & 16 else "0"}
            digits = int.from_bytes(data[4:4 + 2 * (flags & 15)], "little")
            return {"decimal": f"{Decimal(-digits if flags & 16 else digits).scaleb(exponent):f}"}
        return int.from_bytes(data, "little", signed=code in (2, 3, 4, 5, 10))

    def row_string(self):
        start, code = self.at, self.varint()
        if code & 1:
            need(code >> 1 < len(self.strings), "no such string")
            self.marks[-1] = (self.at, f"string {code >> 1} again")
            return self.strings[code >> 1]
        string = self.utf8(self.take(code >> 1))
        del self.marks[-2 if code else -1:]
        number = f"string {len(self.strings)}: " if code >> 1 >= 3 else "string "
        self.marks.append((self.at, number + json.dumps(string, ensure_ascii=False)))
        if code >> 1 >= 3:
            self.strings.append(string)
        return string

    # Columns

    def column(self, wire, n):
        self.pay(8 * n)
        code = wire[0]
        if code in KINDS:
            return [self.fitting(code, value) for value in self.integers(n, code in (2, 3, 4, 5))] if code < 10 else [
                self.scalar(code, value) for value in self.raw(n, KINDS[code][0])]
        if code == STRING:
            return self.string_column(n)
        if code == DATA:
            return [{"data": data.hex()} for data in self.blocks(n)]
        if code == REFERENCE:
            return [self.reference(number) for number in self.integers(n)]
        return self.deeper(self.nested_column, wire, n)

    def nested_column(self, wire, n):
        code = wire[0]
        if code == OPTIONAL:
            flags = self.integers(n)
            need(all(flag < 2 for flag in flags), "neither nil nor a value")
            values = iter(self.batch(wire[1], sum(flags)))
            return [self.some(wire, next(values)) if flag else None for flag in flags]
        if code in (ARRAY, SET, DICTIONARY):
            counts = self.integers(n)
            self.pay(16 * sum(counts))
            keys = self.batch(wire[1], sum(counts))
            if code == DICTIONARY:
                keys = [list(pair) for pair in zip(keys, self.batch(wire[2], sum(counts)))]
            groups = self.split(keys, counts)
            return groups if code == ARRAY else [{"set" if code == SET else "dictionary": g} for g in groups]
        if code == TUPLE:
            return [{"tuple": values} for values in self.struct_columns(wire, wire[1], n)]
        if code == NAMED:
            kind, name, members = self.definition(wire[1])
            if kind == STRUCT:
                return [{name: values} for values in self.struct_columns(wire, members, n)]
            tags = self.integers(n)
            need(all(tag < len(members) for tag in tags), "no such case")
            payloads = self.grouped(tags, [payload for _, payload in members])
            return [{f"{name}.{members[tag][0]}": next(payloads[tag]) if members[tag][1] else None} for tag in tags]
        if code == EXISTENTIAL:
            types = self.integers(n)
            need(all(number <= len(self.dynamic) for number in types), "no such dynamic type")
            objects = [self.reference(o, False) for o in self.integers(types.count(0))] if 0 in types else []
            groups = [iter(objects)] + self.grouped([t - 1 for t in types if t], [wire for _, wire in self.dynamic])
            return [{"any": self.dynamic[t - 1][0], "value": next(groups[t])} if t else next(groups[0]) for t in types]
        return self.slot(n)

    def grouped(self, tags, wires):
        """For each wire type that occurs, in order, the batch of its values."""
        return [iter(self.batch(wire, tags.count(tag))) if wire and tag in tags else None
                for tag, wire in enumerate(wires)]

    @staticmethod
    def split(values, counts):
        groups, start = [], 0
        for count in counts:
            groups.append(values[start:start + count])
            start += count
        return groups

    def struct_columns(self, wire, members, n):
        if self.plain_size(wire):
            layout = self.byte("layout 0: columns")
            need(layout < 2, "unknown layout")
            if layout == 1:
                self.marks[-1] = (self.at, "layout 1: side by side")
                return [self.plain_struct(members) for _ in range(n)]
        return self.member_columns(members, n)

    def plain_struct(self, members):
        values = {}
        for label, wire in members:
            if wire[0] in KINDS:
                values[label] = self.scalar(wire[0], self.take(KINDS[wire[0]][0], label))
            elif wire[0] == TUPLE:
                values[label] = {"tuple": self.plain_struct(wire[1])}
            else:
                _, name, inner = self.definition(wire[1])
                values[label] = {name: self.plain_struct(inner)}
        return values

    def member_columns(self, members, n):
        self.pay(8 * n)
        columns = [(label, self.column(wire, n)) for label, wire in members]
        return [{label: column[index] for label, column in columns} for index in range(n)]

    def integers(self, n, signed=False, nesting=0):
        self.pay(8 * n)
        code = self.byte()
        need(code < 4, "unknown integer column")
        self.marks[-1] = (self.at, f"{['packed', 'deltas', 'runs', 'sparse'][code]}, {n} values")
        need(code < 2 or nesting < 2, "columns are nested too deep")
        if code == 0:
            values = self.packed(n)
        elif code == 1:
            need(n > 0, "deltas of nothing")
            values = [self.zigzag("first #")]
            for difference in self.packed(n - 1):
                values.append(values[-1] + difference)
        elif code == 2:
            count = self.count("# runs", 8)
            need(count <= n, "too many runs")
            numbers, lengths = self.integers(count, signed, nesting + 1), self.integers(count, False, nesting + 1)
            need(0 not in lengths and sum(lengths) == n, "runs do not add up")
            values = [number for number, length in zip(numbers, lengths) for _ in range(length)]
        else:
            common, count = self.zigzag("common: #"), self.count("others: #", 8)
            bits = int.from_bytes(self.take((n + 7) // 8, "which"), "little")
            flags = [bits >> index & 1 for index in range(n)]
            need(sum(flags) == count, "the bits are not as many as the others")
            others = iter(self.integers(count, signed, nesting + 1))
            values = [next(others) if flag else common for flag in flags]
        values = [value % (1 << 64) for value in values]
        return [value - (1 << 64) if signed and value >> 63 else value for value in values]

    def packed(self, n):
        base, width = self.zigzag("base #"), self.byte()
        self.marks[-1] = (self.at, f"width {width}")
        need(width <= 56 or width == 64, "no such width")
        bits = int.from_bytes(self.take((n * width + 7) // 8, "numbers"), "little")
        return [base + (bits >> index * width & (1 << width) - 1) for index in range(n)]

    def raw(self, n, size):
        code = self.byte("raw")
        need(code < 2, "unknown raw column")
        if code == 0:
            return [self.take(size, "values") for _ in range(n)]
        self.marks[-1] = (self.at, "dictionary")
        count = self.count("# distinct values", 8)
        need(count > 0, "an empty dictionary")
        values = [self.take(size, "values") for _ in range(count)]
        return self.look_up(values, n)

    def look_up(self, values, n):
        indexes = self.integers(n)
        need(all(index < len(values) for index in indexes), "no such index")
        return [values[index] for index in indexes]

    def blocks(self, n):
        sizes = self.integers(n)
        need(sum(sizes) <= len(self.data) - self.at, "sizes are larger than the archive")
        return [self.take(size, "bytes") for size in sizes]

    def string_column(self, n):
        code = self.byte("plain strings")
        need(code < 2, "unknown string column")
        if code == 0:
            return [self.utf8(data) for data in self.blocks(n)]
        self.marks[-1] = (self.at, "dictionary")
        count = self.count("# distinct strings", 8)
        need(count > 0, "an empty dictionary")
        return self.look_up([self.utf8(data) for data in self.blocks(count)], n)

    # Codable values

    def slot(self, n):
        return self.deeper(self.slot_values, n)

    def slot_values(self, n):
        code = self.byte(f"slot of {n}")
        need((code == 0) == (n == 0), "a slot has values, or has none")
        if n == 0:
            return []
        if code <= 0x40:
            self.marks[-1] = (self.at, f"slot of {n}: {KIND_NAMES.get(code)}")
            return self.kind_values(code, n)
        self.marks[-1] = (self.at, f"slot of {n}: {code - 0x40} kinds")
        kinds = [self.byte() for _ in range(code - 0x40)]
        self.marks[-1] = (self.at, ", ".join(str(KIND_NAMES.get(kind)) for kind in kinds))
        tags = self.slot_integers(n, note="tag")
        need(all(tag < len(kinds) for tag in tags) and all(tag in tags for tag in range(len(kinds))), "wrong kinds")
        groups = [iter(self.kind_values(kind, tags.count(tag))) for tag, kind in enumerate(kinds)]
        return [next(groups[tag]) for tag in tags]

    def kind_values(self, kind, n):
        self.pay(8 * n)
        if kind in KINDS and kind < 10:
            return [self.fitting(kind, v) for v in self.slot_integers(n, 1 < kind < 6, KINDS[kind][1])]
        if kind in KINDS:
            size = KINDS[kind][0]
            return [self.scalar(kind, v) for v in (
                [self.take(size, KINDS[kind][1]) for _ in range(n)] if n < ROW_LIMIT else self.raw(n, size))]
        if kind == 0x11:
            return [None] * n
        if kind in (0x12, 0x13):
            return self.batch((STRING if kind == 0x12 else DATA,), n)
        if kind in (0x14, 0x16):
            counts = self.slot_integers(n, note="count")
            self.pay(8 * sum(counts))
            keys = self.batch((STRING,), sum(counts)) if kind == 0x16 else []
            elements = self.slot(sum(counts))
            if kind == 0x14:
                return self.split(elements, counts)
            return [{"map": pairs} for pairs in self.split([list(pair) for pair in zip(keys, elements)], counts)]
        need(kind == 0x15, f"unknown kind {kind:#x}")
        records = [{} for _ in range(n)]
        for _ in range(self.count("# keys", 8)):
            key, flag = self.row_string(), self.byte("in all")
            need(flag < 2, "unknown flag")
            if flag:
                self.marks[-1] = (self.at, "in some")
            flags = self.slot_integers(n, note="flag") if flag else [1] * n
            need(all(flag < 2 for flag in flags), "unknown flag")
            values = iter(self.slot(sum(flags)))
            for record, flag in zip(records, flags):
                if flag:
                    record[key] = next(values)
        return records

    def slot_integers(self, n, signed=False, note=""):
        if n >= ROW_LIMIT:
            return self.integers(n, signed)
        return [self.zigzag(note + " #") if signed else self.varint(note + " #") for _ in range(n)]


# LZ4 frames: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md

def xxh32(data, seed=0):
    p1, p2, p3, p4, p5 = 2654435761, 2246822519, 3266489917, 668265263, 374761393
    rotate = lambda x, r: (x << r | (x & 0xffffffff) >> 32 - r) & 0xffffffff
    at, size = 0, len(data)
    if size >= 16:
        lanes = [seed + p1 + p2, seed + p2, seed, seed - p1]
        while at <= size - 16:
            for lane in range(4):
                word = int.from_bytes(data[at + 4 * lane:at + 4 * lane + 4], "little")
                lanes[lane] = rotate(lanes[lane] + word * p2 & 0xffffffff, 13) * p1 & 0xffffffff
            at += 16
        total = sum(rotate(lane, turn) for lane, turn in zip(lanes, (1, 7, 12, 18)))
    else:
        total = seed + p5
    total += size
    while at + 4 <= size:
        total = rotate(total + int.from_bytes(data[at:at + 4], "little") * p3 & 0xffffffff, 17) * p4
        at += 4
    for byte in data[at:]:
        total = rotate(total + byte * p5 & 0xffffffff, 11) * p1
    total &= 0xffffffff
    total = (total ^ total >> 15) * p2 & 0xffffffff
    total = (total ^ total >> 13) * p3 & 0xffffffff
    return total ^ total >> 16


def unframe(frame):
    source, out = Reader(frame), bytearray()
    number = lambda size: int.from_bytes(source.take(size), "little")
    source.take(4)
    start, flags = source.at, source.byte()
    need(flags >> 6 == 1 and not flags & 3, "unknown LZ4 frame")
    block_size = 1 << 8 + 2 * (source.byte() >> 4 & 7)
    declared = number(8) if flags & 8 else None
    header = frame[start:source.at]
    need(source.byte() == xxh32(header) >> 8 & 0xff, "the LZ4 frame's header is damaged")
    while (size := number(4)) != 0:
        block = source.take(size & 0x7fffffff)
        if flags & 0x10:
            need(number(4) == xxh32(block), "an LZ4 block is damaged")
        begin = len(out)
        out += block if size >> 31 else b""
        if not size >> 31:
            unblock(block, out, begin if flags & 0x20 else 0)
        need(len(out) - begin <= block_size, "an LZ4 block is too large")
    need(not flags & 4 or number(4) == xxh32(bytes(out)), "the LZ4 frame's contents are damaged")
    need(declared in (None, len(out)) and source.at == len(frame), "the LZ4 frame has another size")
    return bytes(out)


def unblock(block, out, floor):
    source = Reader(block)
    while True:
        token = source.byte()
        literals, match = token >> 4, token & 15
        while literals >= 15 and (literals - 15) % 255 == 0:
            more = source.byte()
            literals += more
            if more < 255:
                break
        out += source.take(literals)
        if source.at == len(block):
            return
        offset = int.from_bytes(source.take(2), "little")
        need(0 < offset <= len(out) - floor, "an LZ4 match is outside")
        while match >= 15 and (match - 15) % 255 == 0:
            more = source.byte()
            match += more
            if more < 255:
                break
        for _ in range(match + 4):
            out.append(out[-offset])


def load(path):
    if path.endswith(".amber"):
        with open(path, "rb") as file:
            return file.read()
    with open(path, encoding="utf-8") as file:
        return bytes.fromhex("".join(line.split(";")[0] for line in file))


def trace(reader):
    start, lines = 0, []
    for end, note in reader.marks:
        part = reader.data[start:end].hex(" ")
        if part and lines and note and lines[-1][1] == note and len(lines[-1][0]) + len(part) < 48:
            lines[-1][0] += " " + part
        elif part or note == "|":
            lines.append([part, note.strip("|")])
        start = end
    for part, note in lines:
        for index in range(0, len(part), 48):
            print(f"{part[index:index + 48].strip():<48}" + (f"; {note}" if index == 0 and note else ""))
        if not part:
            print()


def main(arguments):
    tracing = "--trace" in arguments
    for path in [argument for argument in arguments if argument != "--trace"]:
        try:
            data = load(path)
            reader = Reader(unframe(data) if data[:4] == b"\x04\x22\x4d\x18" else data)
            result = json.dumps(reader.archive(), ensure_ascii=False, allow_nan=False)
        except Refused as refusal:
            result = f"refused: {refusal}"
        if tracing:
            trace(reader)
        print(result)


if __name__ == "__main__":
    main(sys.argv[1:])
