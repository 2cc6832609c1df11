// Room:   AmberModel / Foreign. Foundation's units, what converts them, and measurements of them.
// Takes:  an object. Gives: its symbol and converter as dynamic values; an object made of such properties.
// Touches: objects through their public methods.

internal import Foundation

extension ForeignForm {
    static let units: [ForeignForm] =
        plainUnits + dimensions + [
            ForeignForm(
                name: "NSUnitConverterLinear", type: UnitConverterLinear.self,
                write: { object, _ in
                    guard let converter = object as? UnitConverterLinear else { return [] }
                    return [("coefficient", .value(converter.coefficient)), ("constant", .value(converter.constant))]
                },
                making: .value { record in
                    UnitConverterLinear(
                        coefficient: try record.value("coefficient", as: Double.self),
                        constant: try record.value("constant", as: Double.self))
                }),
            ForeignForm(
                name: "NSMeasurement", type: NSMeasurement.self,
                write: { object, writer in
                    guard let measurement = object as? NSMeasurement else { return [] }
                    return [
                        ("value", .value(measurement.doubleValue)), ("unit", writer.reference(measurement.unit)),
                    ]
                },
                making: .value { record in
                    guard let unit = try record.object("unit", as: Unit.self) else {
                        throw ClosingError("A measurement has no unit.")
                    }
                    return NSMeasurement(doubleValue: try record.value("value", as: Double.self), unit: unit)
                }),
        ]

    private static let plainUnits: [ForeignForm] = [
        ForeignForm(
            name: "NSUnit", type: Unit.self,
            write: { object, _ in
                guard let unit = object as? Unit else { return [] }
                return [("symbol", .value(unit.symbol))]
            },
            making: .value { Unit(symbol: try $0.value("symbol", as: String.self)) })
    ]

    private static let dimensions: [ForeignForm] = [
        dimension(UnitAcceleration.self), dimension(UnitAngle.self), dimension(UnitArea.self),
        dimension(UnitConcentrationMass.self), dimension(UnitDispersion.self), dimension(UnitDuration.self),
        dimension(UnitElectricCharge.self), dimension(UnitElectricCurrent.self),
        dimension(UnitElectricPotentialDifference.self), dimension(UnitElectricResistance.self),
        dimension(UnitEnergy.self), dimension(UnitFrequency.self), dimension(UnitFuelEfficiency.self),
        dimension(UnitIlluminance.self), dimension(UnitInformationStorage.self), dimension(UnitLength.self),
        dimension(UnitMass.self), dimension(UnitPower.self), dimension(UnitPressure.self),
        dimension(UnitSpeed.self), dimension(UnitTemperature.self), dimension(UnitVolume.self),
        dimension(Dimension.self),
    ]

    private static func dimension(_ type: Dimension.Type) -> ForeignForm {
        let name = "NS" + (codingName(of: type).split(separator: ".").last.map { String($0) } ?? "Dimension")
        return ForeignForm(
            name: name.hasPrefix("NSNS") ? String(name.dropFirst(2)) : name, type: type,
            write: { object, writer in
                guard let unit = object as? Dimension else { return [] }
                if let reciprocal = reciprocal(of: unit) {
                    return [("symbol", .value(unit.symbol)), ("reciprocal", .value(reciprocal))]
                }
                return [("symbol", .value(unit.symbol)), ("converter", writer.reference(unit.converter))]
            },
            making: .value { record in
                let symbol = try record.value("symbol", as: String.self)
                if let reciprocal = record.leaf("reciprocal") as? Double {
                    let unit = fuelEfficiencies.first { self.reciprocal(of: $0) == reciprocal && $0.symbol == symbol }
                    guard let unit, Swift.type(of: unit) == type else {
                        throw ClosingError("No unit of Foundation's is called \"\(symbol)\" and is converted so.")
                    }
                    return unit
                }
                guard let converter = try record.object("converter", as: UnitConverter.self) else {
                    throw ClosingError("A unit has no converter.")
                }
                return type.init(symbol: symbol, converter: converter)
            })
    }

    /// What a unit is divided by, where it is not proportional to the base unit; such converters are Foundation's secret.
    private static func reciprocal(of unit: Dimension) -> Double? {
        guard unit is UnitFuelEfficiency, !(unit.converter is UnitConverterLinear) else { return nil }
        return unit.converter.baseUnitValue(fromValue: 1)
    }

    private static var fuelEfficiencies: [UnitFuelEfficiency] {
        [.litersPer100Kilometers, .milesPerGallon, .milesPerImperialGallon]
    }
}
