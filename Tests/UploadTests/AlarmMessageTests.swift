@testable import Formats
import Foundation
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("Overspeed, jamming and unseen movement in each format")
struct AlarmMessageTests {
    private static let speeding = DrivingEvent(
        .overspeed, peak: nil, lasted: .seconds(5), topSpeed: MetresPerSecond(30.5), limit: MetresPerSecond(25))
    private static let slowed = DrivingEvent(
        .overspeedEnded, peak: nil, lasted: .seconds(65), topSpeed: MetresPerSecond(33.33), limit: MetresPerSecond(25))

    private func text(
        _ content: Record.Content, trigger: Record.Trigger? = nil, isMoving: Bool = true,
        in format: any UploadFormat, over kind: TransportKind = .http
    ) throws -> String? {
        let stored = try #require(StoredRecord.sample("tow")).with {
            ($0.content, $0.trigger, $0.isMoving) = (content, trigger, isMoving)
        }
        guard format.carries(stored.record, over: kind) else { return nil }
        let target = try UploadTarget.sample("https://track.example.net/in", format)
        guard case .payload(let payload) = format.encode([stored], isNewest: true, for: target.sender, over: kind)
        else {
            return nil
        }
        if format.name == "geojson" { #expect(try SchemaCheck().violations(payload.body) == []) }
        return String(decoding: payload.body, as: UTF8.self)
    }

    @Test("GeoJSON states the limit and the top speed of overspeed, and the level of jamming.")
    func geojson() throws {
        let ended = try text(.driving(Self.slowed), in: GeoJSON())
        #expect(
            ended?.contains(
                #""payload":{"event":"overspeedEnded","lasted_s":65,"limit_mps":25,"topSpeed_mps":33.33}"#) == true)
        let jammed = try text(.providerchange(ProviderChange(.jammed, jamming: 201)), in: GeoJSON())
        #expect(jammed?.contains(#""payload":{"jamming":201,"state":"jammed"}"#) == true)
        #expect(try text(.providerchange(ProviderChange(.jammingEnded, jamming: 3)), in: GeoJSON()) != nil)
        #expect(try text(.driving(Self.speeding), in: GeoJSON())?.contains(#""event":"overspeed""#) == true)
    }

    @Test("Traccar receives overspeed, jamming and unseen movement as its alarms.")
    func traccar() throws {
        #expect(try text(.driving(Self.speeding), in: Traccar())?.contains("&event=overspeed&alarm=overspeed&") == true)
        let ended = try text(.driving(Self.slowed), in: Traccar())
        #expect(ended?.contains("&event=overspeedEnded&") == true && ended?.contains("alarm=") == false)
        let jammed = ProviderChange(.jammed, jamming: 201)
        #expect(try text(.providerchange(jammed), in: Traccar())?.contains("&event=jammed&alarm=jamming&") == true)
        let unjammed = try text(.providerchange(ProviderChange(.jammingEnded, jamming: 3)), in: Traccar())
        #expect(unjammed?.contains("&event=jammingEnded&") == true && unjammed?.contains("alarm=") == false)
        #expect(try text(.providerchange(ProviderChange(.noFix)), in: Traccar()) == nil)
        #expect(
            try text(.motionchange, trigger: .movedUnseen, in: Traccar())?.contains("&event=moved&alarm=movement&")
                == true)
        #expect(try text(.motionchange, in: Traccar())?.contains("&event=motionchange&trip=") == true)
    }

    @Test("OwnTracks receives overspeed with the letter of a speed alarm, and its end as a plain location.")
    func ownTracks() throws {
        #expect(try text(.driving(Self.speeding), in: OwnTracks(), over: .mqtt)?.contains(#","t":"s","#) == true)
        #expect(try text(.driving(Self.slowed), in: OwnTracks(), over: .mqtt)?.contains(#""t":"#) == false)
        let moved = try text(.motionchange, trigger: .movedUnseen, in: OwnTracks(), over: .mqtt)
        #expect(moved?.contains(#""_type":"location""#) == true && moved?.contains(#""t":"#) == false)
    }

    @Test("A template contains the limit, the top speed and the duration of overspeed.")
    func template() throws {
        let body = #"{"e": {event}, "limit": {speed_limit_kmh}, "top": {top_speed_kmh:.0}, "s": {lasted_s}}"#
        let format = try Template(path: "/", body: body, contentType: "application/json")
        #expect(
            try text(.driving(Self.slowed), in: format)
                == #"{"e": "overspeedEnded", "limit": 90, "top": 120, "s": 65}"#)
        #expect(try text(.ping, in: format) == #"{"e": null, "limit": null, "top": null, "s": null}"#)
    }
}
