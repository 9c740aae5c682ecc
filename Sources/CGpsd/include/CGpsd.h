// CGpsd: what trackerd reads of gpsd, out of libgps, in one shape for all its releases. README.md names them.
//
// A handle lives through: create (connects on a thread of its own), wait until cgpsd_fd is readable, cgpsd_take_over,
// then cgpsd_watch and cgpsd_read; cgpsd_destroy at any time. Nothing here blocks. One thread calls all of it.

#ifndef CGPSD_H
#define CGPSD_H

#include <stdbool.h>
#include <stdint.h>

/// A connection to gpsd, or an attempt at one.
struct cgpsd;

/// What gpsd says about one epoch, or a part of it. What it leaves out is NaN.
struct cgpsd_report {
    int mode;                   ///< 0 unknown, 1 no fix, 2 two-dimensional, 3 three-dimensional
    int status;                 ///< gpsd's JSON number, whatever the release calls it: 8 is a simulated receiver
    bool has_time;
    int64_t time_unix_ms;       ///< means nothing without has_time
    double latitude_deg;
    double longitude_deg;
    double altitude_msl_m;
    double altitude_ellipsoid_m;
    double speed_mps;
    double course_deg;
    double climb_mps;           ///< upwards; means nothing below mode 3
    double eph_m;               ///< horizontal error, about 95 %
    double epx_m;               ///< error to the east, about 95 %
    double epy_m;               ///< error to the north, about 95 %
    double epv_m;               ///< vertical error, about 95 %
    double eps_mps;             ///< error of the speed, about 95 %
    int jamming;                ///< 0 none to 255 strong; -1 when gpsd, or this release of libgps, does not say
};

/// What gpsd says about the satellites. A dilution of precision that it leaves out is NaN.
struct cgpsd_sky {
    int satellites_used;        ///< -1 when it names no satellites
    int satellites_seen;        ///< -1 when it names no satellites
    double hdop;                ///< horizontal
    double vdop;                ///< vertical
    double pdop;                ///< of the position: horizontal and vertical
    double tdop;                ///< of the time
    double gdop;                ///< of position and time
    double xdop;                ///< to the east
    double ydop;                ///< to the north
};

/// What cgpsd_read found.
enum cgpsd_message {
    CGPSD_NOTHING_YET,          ///< no whole line is there: wait for the descriptor
    CGPSD_REPORT,               ///< cgpsd_last_report has it
    CGPSD_SKY,                  ///< cgpsd_last_sky has it
    CGPSD_DEVICES,              ///< cgpsd_device_count and cgpsd_device have it
    CGPSD_OTHER,                ///< something of gpsd's that we have no use for
    CGPSD_NONSENSE,             ///< a line that is no JSON object
    CGPSD_LOST,                 ///< closed by the other side, or a line without an end: destroy the handle
};

/// How far the connecting has come.
enum cgpsd_stage {
    CGPSD_CONNECTING,
    CGPSD_OPEN,
    CGPSD_FAILED,
};

/// Begins to connect; NULL when there is no memory, descriptor or thread for it.
struct cgpsd *cgpsd_create(const char *host, const char *port);

/// Closes and frees; a thread that still connects finds out by itself and frees what it has.
void cgpsd_destroy(struct cgpsd *gpsd);

/// What to wait for until readable: the end of the connecting, later gpsd's socket.
int cgpsd_fd(const struct cgpsd *gpsd);

/// Takes the connection over from the thread, when it is there.
enum cgpsd_stage cgpsd_take_over(struct cgpsd *gpsd);

/// Why the connecting failed, in the words of libgps.
const char *cgpsd_reason(const struct cgpsd *gpsd);

/// Asks for reports, of one device or of all (NULL), or for silence; false when gpsd cannot be told.
bool cgpsd_watch(struct cgpsd *gpsd, bool is_on, const char *device);

/// Reads one message. Call it until CGPSD_NOTHING_YET: lines that libgps holds are not seen by poll.
enum cgpsd_message cgpsd_read(struct cgpsd *gpsd);

/// The report that was read last.
struct cgpsd_report cgpsd_last_report(const struct cgpsd *gpsd);

/// The satellites that were read last.
struct cgpsd_sky cgpsd_last_sky(const struct cgpsd *gpsd);

/// The device that the last report or sky came from; empty when gpsd did not say.
const char *cgpsd_last_device(const struct cgpsd *gpsd);

/// How many devices gpsd has, as it said last; libgps keeps four.
int cgpsd_device_count(const struct cgpsd *gpsd);

/// The path of one of them, and whether gpsd has it open.
const char *cgpsd_device(const struct cgpsd *gpsd, int index, bool *is_open);

#endif
