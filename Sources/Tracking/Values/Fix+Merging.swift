extension Fix {
    /// The same report, with what it does not know taken from an earlier part of the same epoch.
    package func filled(from earlier: Fix) -> Fix {
        Fix(
            mode: max(mode, earlier.mode), time: time ?? earlier.time, coordinate: coordinate ?? earlier.coordinate,
            accuracy: accuracy ?? earlier.accuracy, altitude: altitude ?? earlier.altitude,
            ellipsoidAltitude: ellipsoidAltitude ?? earlier.ellipsoidAltitude,
            verticalAccuracy: verticalAccuracy ?? earlier.verticalAccuracy, speed: speed ?? earlier.speed,
            speedAccuracy: speedAccuracy ?? earlier.speedAccuracy, course: course ?? earlier.course,
            climb: climb ?? earlier.climb, satellites: satellites ?? earlier.satellites, hdop: hdop ?? earlier.hdop,
            vdop: vdop ?? earlier.vdop, pdop: pdop ?? earlier.pdop, jamming: jamming ?? earlier.jamming)
    }
}
