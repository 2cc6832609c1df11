// Room:   AmberReadableTests. JSON in the shapes of well-known public APIs, mapped as the documentation says.
// Takes:  answers written after the APIs' manuals. Gives: models, the same JSON back, updates.
// Touches: nothing.

import AmberModel
import AmberReadable
import AmberTestSupport
import Foundation
import Testing

private func same(_ left: Data, _ right: Data) throws -> Bool {
    func sorted(_ data: Data) throws -> Data {
        try JSONSerialization.data(withJSONObject: JSONSerialization.jsonObject(with: data), options: .sortedKeys)
    }
    return try sorted(left) == sorted(right)
}

// MARK: A code host

private final class Repository: JSONMapped {
    var id = 0
    var nodeID = ""
    var fullName = ""
    var isPrivate = false
    var owner: Account?
    var htmlURL: URL?
    var description: String?
    var isFork = false
    var createdAt = Date(timeIntervalSince1970: 0)
    var pushedAt: Date?
    var stargazersCount = 0
    var language: String?
    var topics: [String] = []
    var license: License?
    var permissions: [String: Bool]?
    var visibility = Visibility.hidden
    var others = UnknownProperties()

    static var jsonMapping: JSONMapping {
        JSONMapping().mapping("isPrivate", to: "private").mapping("isFork", to: "fork")
            .writingNil("permissions", asNull: false)
            .cases("visibility", ["public": "open", "private": "hidden"])
    }
}
private enum Visibility { case open, hidden }
private struct Account: Model, Equatable {
    var login: String
    var id: Int
    var avatarURL: URL
    var siteAdmin: Bool
}
private struct License: Model, Equatable {
    var key: String
    var spdxID: String?
}

private let repositories = Data(
    #"""
    [
      {"id": 1296269, "node_id": "MDEwOlJlcG9zaXRvcnkxMjk2MjY5", "full_name": "octo/Hello-World", "private": false,
       "owner": {"login": "octo", "id": 1, "avatar_url": "https://example.com/images/octo.gif", "site_admin": false},
       "html_url": "https://example.com/octo/Hello-World", "description": null, "fork": false,
       "created_at": "2011-01-26T19:01:12Z", "pushed_at": "2011-01-26T19:06:43Z", "stargazers_count": 80,
       "language": null, "topics": ["octo", "api"], "license": {"key": "mit", "spdx_id": "MIT"},
       "permissions": {"admin": false, "pushAll": true}, "visibility": "public",
       "watchers_count": 80, "temp_clone_token": null, "security": {"secret_scanning": {"status": "enabled"}}},
      {"id": 2, "node_id": "", "full_name": "octo/empty", "private": true, "owner": null, "html_url": null,
       "description": "An \u00e9mpty one", "fork": true, "created_at": "2020-02-29T00:00:00Z", "pushed_at": null,
       "stargazers_count": 0, "language": "Swift", "topics": [], "license": null, "visibility": "private"}
    ]
    """#.utf8)

// MARK: Weather

private final class Forecast: JSONMapped {
    var latitude = 0.0
    var elevation: Double?
    var utcOffsetSeconds = 0
    var units: [String: String] = [:]
    var times: [Date] = []
    var temperatures: [Double?] = []
    var codes: [Int] = []
    var currentTime: Date?
    var currentTemperature: Float?

    static var jsonMapping: JSONMapping {
        JSONMapping().mapping("units", to: "hourly_units").mapping("times", to: "hourly.time")
            .mapping("temperatures", to: "hourly.temperature_2m").mapping("codes", to: "hourly.weather_code")
            .mapping("currentTime", to: "current.time").mapping("currentTemperature", to: "current.temperature_2m")
            .dates("times", as: .format("yyyy-MM-dd'T'HH:mm")).dates("currentTime", as: .format("yyyy-MM-dd'T'HH:mm"))
    }
}

private let forecast = Data(
    #"""
    {"latitude": 52.52, "elevation": 38.0, "utc_offset_seconds": -3600,
     "hourly_units": {"time": "iso8601", "temperature_2m": "°C", "windSpeed": "km/h"},
     "hourly": {"time": ["2026-05-25T00:00", "2026-05-25T01:00", "2026-05-25T02:00"],
                "temperature_2m": [12.1, null, -0.4], "weather_code": [3, 61, 0]},
     "current": {"time": "2026-05-25T01:15", "temperature_2m": 11.3}}
    """#.utf8)

// MARK: A page of anything

private final class Page<Item: Model>: JSONMapped {
    var data: [Item] = []
    var total = 0
    var next: URL?
    var own: URL?
    static var jsonMapping: JSONMapping {
        JSONMapping().mapping("total", to: "meta.pagination.total").mapping("next", to: "links.next")
            .mapping("own", to: "links.self").lossy("data")
    }
}
private struct Ticket: Model, Equatable {
    var ticketID: UInt64
    var subject: String
    var priority: Int?
}

// MARK: Geometry

private final class FeatureCollection: Model {
    var type = "FeatureCollection"
    var features: [Feature] = []
}
private final class Feature: JSONMapped {
    var type = "Feature"
    var id: String?
    var geometry: Geometry?
    var properties: [String: Any]?
    static var jsonMapping: JSONMapping { JSONMapping().writingNil("geometry", asNull: true) }
}
private class Geometry: JSONMapped {
    var type = ""
    required init() {}
    class var jsonMapping: JSONMapping {
        JSONMapping().choosingClass(
            by: "type",
            ["Point": GeoPoint.self, "LineString": Line.self, "Polygon": Area.self, "GeometryCollection": Several.self])
    }
}
private final class GeoPoint: Geometry { var coordinates: [Double] = [] }
private final class Line: Geometry { var coordinates: [[Double]] = [] }
private final class Area: Geometry { var coordinates: [[[Double]]] = [] }
private final class Several: Geometry { var geometries: [Geometry] = [] }

private let map = Data(
    #"""
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "id": "p", "geometry": {"type": "Point", "coordinates": [102.0, 0.5]},
       "properties": {"prop0": "value0", "nested": {"this": ["that", 1, null, true, 2.5]}, "none": null}},
      {"type": "Feature", "geometry": {"type": "GeometryCollection", "geometries": [
         {"type": "LineString", "coordinates": [[102.0, 0.0], [103.0, 1.0, 15.25]]},
         {"type": "Polygon", "coordinates": [[[100.0, 0.0], [101.0, 0.0], [101.0, 1.0], [100.0, 0.0]]]}]},
       "properties": {}},
      {"type": "Feature", "geometry": null, "properties": {"at": {"x": 1}}}
    ]}
    """#.utf8)

// MARK: Payments

private final class Event: JSONMapped {
    var id = ""
    var created = Date(timeIntervalSince1970: 0)
    var livemode = false
    var type = ""
    var subject: Resource?
    var before: [String: Any]?
    var others = UnknownProperties()
    static var jsonMapping: JSONMapping {
        JSONMapping().mapping("subject", to: "data.object").mapping("before", to: "data.previous_attributes")
            .dates("created", as: .seconds)
    }
}
private class Resource: JSONMapped {
    var id = ""
    var object = ""
    var metadata: [String: String] = [:]
    var others = UnknownProperties()
    required init() {}
    class var jsonMapping: JSONMapping {
        JSONMapping().choosingClass(by: "object", ["charge": Charge.self, "customer": Customer.self])
    }
}
private final class Charge: Resource {
    var amount = 0
    var currency = ""
    var failureCode: String?
    var customer: String?
    var paid = false
}
private final class Customer: Resource {
    var email: String?
    var balance = 0
}

private let event = Data(
    #"""
    {"id": "evt_1", "object": "event", "api_version": "2024-04-10", "created": 1713201600, "livemode": false,
     "pending_webhooks": 2, "request": {"id": null, "idempotency_key": "k-1"}, "type": "charge.updated",
     "data": {"object": {"id": "ch_1", "object": "charge", "amount": 1099, "currency": "eur", "failure_code": null,
                         "customer": "cus_1", "paid": true, "metadata": {"orderID": "6735", "Some_Key": "x"},
                         "refunds": {"data": [], "has_more": false}, "receipt_number": null},
              "previous_attributes": {"amount": 1000, "metadata": {"orderID": null}}}}
    """#.utf8)

// MARK: A feed

private final class Feed: Model {
    var version: URL?
    var title = ""
    var homePageURL: URL?
    var items: [Item] = []
    var others = UnknownProperties()
}
private final class Item: Model {
    var id = ""
    var url: URL?
    var contentHTML: String?
    var datePublished: Date?
    var authors: [Author] = []
    var attachments: [Attachment]?
    var tags: Set<String>?
    var others = UnknownProperties()
}
private struct Author: Model, Equatable { var name: String? }
private struct Attachment: Model, Equatable {
    var url: URL
    var mimeType: String
    var sizeInBytes: Int64?
    var durationInSeconds: Double?
}

private let feed = Data(
    #"""
    {"version": "https://jsonfeed.org/version/1.1", "title": "My Example Feed", "home_page_url": "https://example.org/",
     "_extension": {"about": "https://example.org/about", "list": [1, 2.50]},
     "items": [
       {"id": "2", "url": "https://example.org/second?a=b&c=%20d", "content_html": "<p>Hello, \"world\"!</p>",
        "date_published": "2026-05-25T22:46:27.125Z", "authors": [{"name": "Ann"}, {}], "tags": ["a", "b"],
        "attachments": [{"url": "https://example.org/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 89970236,
                         "duration_in_seconds": 6629.5}], "_microblog": {"thumb": null}},
       {"id": "1", "authors": []}
     ]}
    """#.utf8)

@Suite struct PublicAPITests {
    private let decoder: MappedJSONDecoder = {
        var decoder = MappedJSONDecoder()
        decoder.naming = .snakeCase
        return decoder
    }()
    private let encoder: MappedJSONEncoder = {
        var encoder = MappedJSONEncoder()
        encoder.naming = .snakeCase
        return encoder
    }()

    @Test func aCodeHostsRepositories() throws {
        let found = try decoder.decode([Repository].self, from: repositories)
        #expect(found[0].owner?.login == "octo" && found[0].license == License(key: "mit", spdxID: "MIT"))
        #expect(found[0].createdAt == Date(timeIntervalSince1970: 1_296_068_472) && !found[0].isPrivate)
        #expect(found[0].permissions == ["admin": false, "pushAll": true] && found[0].visibility == .open)
        #expect(found[1].owner == nil && found[1].description == "An émpty one" && found[1].visibility == .hidden)
        #expect(found[0].others.values["watchers_count"]?.int == 80)
        var encoder = encoder
        encoder.writesNulls = true
        #expect(try same(repositories, encoder.encode(found)))
        // New values for some keys leave the rest alone.
        try decoder.update(found[0], from: Data(#"{"stargazers_count": 81, "license": null, "forks": 3}"#.utf8))
        #expect(found[0].stargazersCount == 81 && found[0].license == nil && found[0].owner?.id == 1)
        #expect(found[0].topics == ["octo", "api"])
    }

    @Test func weatherInColumns() throws {
        let found = try decoder.decode(Forecast.self, from: forecast)
        #expect(found.temperatures == [12.1, nil, -0.4] && found.codes == [3, 61, 0])
        #expect(found.times[1] == Date(timeIntervalSince1970: 1_779_670_800) && found.currentTemperature == 11.3)
        #expect(found.units["windSpeed"] == "km/h")
        #expect(try same(forecast, encoder.encode(found)))
    }

    @Test func pagesOfAnything() throws {
        let answer = Data(
            #"""
            {"data": [{"ticket_id": 18446744073709551615, "subject": "a", "priority": 1}, {"ticket_id": 2, "subject": "b"}],
             "meta": {"pagination": {"total": 200}}, "links": {"next": "https://x.example/?page=2", "self": "https://x.example/"}}
            """#.utf8)
        let page = try decoder.decode(Page<Ticket>.self, from: answer)
        #expect(page.data == [Ticket(ticketID: .max, subject: "a", priority: 1), Ticket(ticketID: 2, subject: "b")])
        #expect(page.total == 200 && page.next?.query == "page=2" && page.own != nil)
        #expect(try same(answer, encoder.encode(page)))
        let last = try decoder.decode(
            Page<Ticket>.self,
            from: Data(#"{"data": [{"subject": 5}, {"ticket_id": 3, "subject": "c"}], "links": {"next": null}}"#.utf8))
        #expect(last.data.map(\.ticketID) == [3] && last.next == nil && last.total == 0)
    }

    @Test func geometryOfManyKinds() throws {
        let found = try MappedJSONDecoder().decode(FeatureCollection.self, from: map)
        #expect((found.features[0].geometry as? GeoPoint)?.coordinates == [102, 0.5])
        let several = try #require(found.features[1].geometry as? Several)
        #expect((several.geometries[0] as? Line)?.coordinates[1] == [103, 1, 15.25])
        #expect((several.geometries[1] as? Area)?.coordinates[0].count == 4)
        #expect(found.features[2].geometry == nil)
        let nested = found.features[0].properties?["nested"] as? [String: Any]
        #expect((nested?["this"] as? [Any])?.count == 5)
        #expect(try same(map, MappedJSONEncoder().encode(found)))
    }

    @Test func paymentsByType() throws {
        let found = try decoder.decode(Event.self, from: event)
        let charge = try #require(found.subject as? Charge)
        #expect(charge.amount == 1099 && charge.paid && charge.metadata == ["orderID": "6735", "Some_Key": "x"])
        #expect(found.created == Date(timeIntervalSince1970: 1_713_201_600) && found.before?["amount"] as? Int == 1000)
        #expect(found.others.values["api_version"]?.string == "2024-04-10")
        #expect(charge.others.values["refunds"] != nil)
        var encoder = encoder
        encoder.writesNulls = true
        #expect(try same(event, encoder.encode(found)))
        let other = try decoder.decode(
            Event.self,
            from: Data(#"{"id": "e", "data": {"object": {"id": "x", "object": "invoice", "lines": [1]}}}"#.utf8))
        #expect(other.subject?.object == "invoice" && other.subject?.others.values["lines"]?.array?.count == 1)
    }

    @Test func feeds() throws {
        let found = try decoder.decode(Feed.self, from: feed)
        #expect(found.items[0].contentHTML == "<p>Hello, \"world\"!</p>" && found.items[0].tags == ["a", "b"])
        #expect(found.items[0].authors == [Author(name: "Ann"), Author(name: nil)])
        #expect(found.items[0].attachments?[0].sizeInBytes == 89_970_236)
        #expect(found.items[0].datePublished == Date(timeIntervalSinceReferenceDate: 801_441_987.125))
        #expect(found.items[1].url == nil && found.items[1].attachments == nil)
        #expect(try same(feed, encoder.encode(found)))
    }

    /// What most often goes wrong is told by its place.
    @Test func mistakesAreTold() throws {
        func failure(_ json: String) -> String {
            do {
                _ = try decoder.decode(Repository.self, from: Data(json.utf8))
                return ""
            } catch { return "\(error)" }
        }
        #expect(failure(#"{"id": "7"}"#).contains("id at line 1, column 8"))
        #expect(failure(#"{"owner": {"login": "x"}}"#).contains("owner"))
        #expect(failure(#"{"created_at": "yesterday"}"#).contains("ISO 8601"))
        #expect(failure(#"{"visibility": "secret"}"#).contains("secret"))
    }
}
