/* Pliant for C, and for whatever speaks C: the WebAssembly module exports exactly these functions, and engine.js is written
 * over them. index.d.ts says what each is for.
 *
 * Text is UTF-8 with a zero at its end. Structured results are JSON: a function that says `result` leaves its text where
 * pliant_result() finds it until the next call. Numbers come as an array: a function that says `array` gives its address and
 * leaves its length, in numbers, where pliant_length() finds it; it is valid until the next call. Functions that can fail
 * give 0 for that, and the result is then the error: a line for each problem, `FILE:LINE: PATH: MESSAGE`. */
#ifndef PLIANT_C_H
#define PLIANT_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct PliantSession PliantSession;
typedef struct PliantReplay PliantReplay;

/* Memory for arguments. */
void* pliant_allocate(size_t bytes);
void pliant_free(void* memory);

const char* pliant_version(void);
const char* pliant_result(void);
size_t pliant_length(void); /* of the last result in bytes, or of the last array in numbers */

/* Before anything is loaded. Each of the other threads then calls pliant_help with its number, from 1, which never returns. */
void pliant_use_threads(int count);
void pliant_help(int thread);

int pliant_scenes(void);                     /* result: [{"name", "about"}] */
int pliant_scene_text(const char* name);     /* result: the text itself */
int pliant_schema(void);                     /* result */

/* Files that a scene names are looked for here first. They stay until cleared. */
int pliant_add_file(const char* name, const void* bytes, size_t size);
void pliant_clear_files(void);

/* `sets` is a JSON array of texts such as "solids.bunny.gamma=0.2". */
PliantSession* pliant_load(const char* text, const char* source, const char* sets);
void pliant_close(PliantSession* session);
int pliant_info(PliantSession* session); /* result: SceneInfo */

int pliant_step(PliantSession* session); /* 0: the result says what became non-finite */
int pliant_reset(PliantSession* session);
int pliant_frame(const PliantSession* session);
double pliant_time(const PliantSession* session);    /* [s] */
double pliant_step_ms(const PliantSession* session); /* of the last step */
int pliant_hash(PliantSession* session);          /* result: 16 hexadecimal digits */
int pliant_stats(PliantSession* session);         /* result: FrameStats */

int pliant_layers(PliantSession* session, int rods_as_lines); /* result: [Layer], without its arrays */
const uint32_t* pliant_indices(PliantSession* session, int layer); /* array */
const uint32_t* pliant_strands(PliantSession* session, int layer); /* array */
const float* pliant_uvs(PliantSession* session, int layer);        /* array */
const float* pliant_positions(PliantSession* session, int layer);  /* array */
const float* pliant_normals(PliantSession* session, int layer);    /* array */
const float* pliant_field(PliantSession* session, int layer, const char* what); /* array */

int pliant_debug(PliantSession* session, const char* kind); /* fills five arrays, numbered from 0 as in DebugLayer */
const float* pliant_debug_array(PliantSession* session, int number); /* array */

int pliant_pick(PliantSession* session, double ox, double oy, double oz, double dx, double dy, double dz, double reach);
                                                             /* result: Pick, or null */
int pliant_grab(PliantSession* session, int body, int particle, double x, double y, double z, double compliance);
                                                             /* the handle, from 1; compliance < 0: the engine's choice */
int pliant_drag(PliantSession* session, int grab, double x, double y, double z);
int pliant_release(PliantSession* session, int grab);

int pliant_parameters(PliantSession* session);                               /* result: [ParameterTable] */
int pliant_set(PliantSession* session, const char* path, const char* value); /* value: JSON */

int pliant_save(PliantSession* session); /* the handle, from 1 */
int pliant_restore(PliantSession* session, int snapshot);
void pliant_forget(PliantSession* session, int snapshot);
int pliant_snapshot(PliantSession* session); /* result: bytes */
int pliant_open_snapshot(PliantSession* session, const char* bytes, int size);

int pliant_recording(PliantSession* session); /* result: the recording, JSON */

PliantReplay* pliant_open_recording(const char* json);
void pliant_close_replay(PliantReplay* replay);
PliantSession* pliant_replay_session(PliantReplay* replay); /* the replay's own: never close it */
int pliant_replay_frames(const PliantReplay* replay);
int pliant_replay_step(PliantReplay* replay); /* result: {"frame", "hash", "recorded", "equal"}, or null at the end */
int pliant_replay_seek(PliantReplay* replay, int frame);
int pliant_replay_difference(const PliantReplay* replay); /* the first frame that differs; -1 for none so far */

#ifdef __cplusplus
}
#endif

#endif
