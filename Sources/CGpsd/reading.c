// Commands to gpsd, messages from it.

#include "connection.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

// libgps writes with write(2), which kills a program whose peer has gone. SIGPIPE is held back meanwhile, and one that
// came of it is taken away.
static bool stream_without_sigpipe(struct cgpsd *gpsd, unsigned flags, const char *device) {
    sigset_t broken_pipe, before, waiting;
    const struct timespec at_once = {0, 0};
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    sigpending(&waiting);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    const bool is_sent = gps_stream(&gpsd->data, flags, (void *)device) == 0;
    if (!is_sent && !sigismember(&waiting, SIGPIPE)) sigtimedwait(&broken_pipe, NULL, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_sent;
}

bool cgpsd_watch(struct cgpsd *gpsd, bool is_on, const char *device) {
    if (!is_on) return stream_without_sigpipe(gpsd, WATCH_DISABLE | WATCH_JSON, NULL);
    const unsigned which = device == NULL ? 0 : WATCH_DEVICE;
    return stream_without_sigpipe(gpsd, WATCH_ENABLE | WATCH_JSON | which, device);
}

// libgps reports no syntax errors, and takes what it understood before one for the whole: look at the two ends.
static bool is_object(const char *line, int length, size_t room) {
    if (line[0] != '{') return false;
    if ((size_t)length >= room) return true;
    size_t end = strlen(line);
    while (end > 0 && (line[end - 1] == '\r' || line[end - 1] == ' ')) end--;
    return end > 0 && line[end - 1] == '}';
}

static enum cgpsd_message classify(const struct cgpsd *gpsd, int length) {
    if (!is_object(gpsd->line, length, sizeof gpsd->line)) return CGPSD_NONSENSE;
    // `set` was empty before: TPV is the only class that sets STATUS_SET, SKY the only one of the other two
    // (3.22 sets SATELLITE_SET alone, 3.25 what it found).
    if (gpsd->data.set & STATUS_SET) return CGPSD_REPORT;
    if (gpsd->data.set & (DOP_SET | SATELLITE_SET)) return CGPSD_SKY;
    return gpsd->data.set & DEVICELIST_SET ? CGPSD_DEVICES : CGPSD_OTHER;
}

enum cgpsd_message cgpsd_read(struct cgpsd *gpsd) {
    for (;;) {
        gpsd->data.set = 0;
        const int length = gps_read(&gpsd->data, gpsd->line, sizeof gpsd->line);
        if (length < 0) return CGPSD_LOST;
        if (length > 0) return classify(gpsd, length);
        // 0 is "no whole line": nothing there, a part of one, or (in some releases, for ever) the end of the stream.
        // Ends: each further turn moves bytes into libgps' buffer, and a full one without a line is an error above.
        char byte;
        const ssize_t waiting = recv(cgpsd_socket(gpsd), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (waiting == 0) return CGPSD_LOST;
        if (waiting < 0) {
            const bool is_empty = errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
            return is_empty ? CGPSD_NOTHING_YET : CGPSD_LOST;
        }
    }
}

struct cgpsd_report cgpsd_last_report(const struct cgpsd *gpsd) {
    const struct gps_fix_t *fix = &gpsd->data.fix;
    return (struct cgpsd_report){
        .mode = fix->mode,
        .status = fix->status,
        .has_time = (gpsd->data.set & TIME_SET) != 0,
        .time_unix_ms = (int64_t)fix->time.tv_sec * 1000 + fix->time.tv_nsec / 1000000,
        .latitude_deg = fix->latitude,
        .longitude_deg = fix->longitude,
        .altitude_msl_m = fix->altMSL,
        .altitude_ellipsoid_m = fix->altHAE,
        .speed_mps = fix->speed,
        .course_deg = fix->track,
        .climb_mps = fix->climb,
        .eph_m = fix->eph,
        .epx_m = fix->epx,
        .epy_m = fix->epy,
        .epv_m = fix->epv,
        .eps_mps = fix->eps,
        .jamming = cgpsd_jamming(fix),
    };
}

struct cgpsd_sky cgpsd_last_sky(const struct cgpsd *gpsd) {
    // A SKY of DOPs alone: 3.22 and 3.25 differ in the flags, both count no satellite in view.
    const bool has_satellites = gpsd->data.satellites_visible > 0;
    const struct dop_t *dop = &gpsd->data.dop;
    return (struct cgpsd_sky){
        .satellites_used = has_satellites ? gpsd->data.satellites_used : -1,
        .satellites_seen = has_satellites ? gpsd->data.satellites_visible : -1,
        .hdop = dop->hdop,
        .vdop = dop->vdop,
        .pdop = dop->pdop,
        .tdop = dop->tdop,
        .gdop = dop->gdop,
        .xdop = dop->xdop,
        .ydop = dop->ydop,
    };
}

const char *cgpsd_last_device(const struct cgpsd *gpsd) { return gpsd->data.dev.path; }

int cgpsd_device_count(const struct cgpsd *gpsd) {
    const int count = gpsd->data.devices.ndevices;
    return count < MAXUSERDEVS ? count : MAXUSERDEVS;
}

const char *cgpsd_device(const struct cgpsd *gpsd, int index, bool *is_open) {
    const struct devconfig_t *device = &gpsd->data.devices.list[index];
    // gpsd leaves the time of opening out, or says 0, while it has not got the device open.
    *is_open = device->activated.tv_sec > 0;
    return device->path;
}
