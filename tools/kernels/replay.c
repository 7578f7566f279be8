/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs recorded calls of kernels on a processor and system, without Python and NumPy.
 *
 *     replay LIBRARY                        prints plant_dynamics_level() of a library
 *     replay LIBRARY LEVEL CALLS FOUND N    runs every N-th call of each kernel in a file at a level and writes what they
 *                                           leave
 *
 * LIBRARY is a shared library, or a flat image of one of another system (see tools/kernel_images.py). The files' format
 * is described in tools/kernel_calls.py. Both have little-endian words of 8 bytes. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

typedef int (*Kernel)(const void *words, double *out);
typedef int (*Level)(void);

/* An array's object as NumPy has it, as far as kernels read it: see solver/machine/call.py. */
typedef struct {
  int64_t head[2];
  char *data;
  int32_t dimensions, unused;
  const int64_t *shape;
  int64_t strides, base;
  const void *dtype;
  int32_t flags, end;
} Array;

enum { IN_ONE_PIECE_ALIGNED_WRITABLE = 0x0001 | 0x0100 | 0x0400, MOST_RESULTS = 16 };

static const char dtypes[3]; /* real, whole and truth: only their addresses are compared */

static void fail(const char *what, const char *which) {
  fprintf(stderr, "%s: %s\n", what, which);
  exit(1);
}

static void *room(size_t size) {
  void *found = malloc(size ? size : 1);
  if (!found) fail("no memory", "for a call's arrays");
  return found;
}

static char *whole_file(const char *path, int64_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot be read", path);
#if defined(_WIN32)
  _fseeki64(file, 0, SEEK_END), *size = _ftelli64(file);
#else
  fseek(file, 0, SEEK_END), *size = ftell(file);
#endif
  rewind(file);
  char *text = room((size_t)*size);
  if (fread(text, 1, (size_t)*size, file) != (size_t)*size) fail("cannot be read", path);
  fclose(file);
  return text;
}

/* Functions of the loaded library, or of a flat image. */

#if defined(__linux__)
static const int64_t *image; /* after its mark: place in memory, size, count of functions; name and address of each */

static int load_image(const char *path) {
  FILE *file = fopen(path, "rb");
  char mark[8] = "";
  if (file && fread(mark, 1, 8, file) == 8) fclose(file);
  if (memcmp(mark, "PDIMAGE1", 8)) return 0;
  int64_t size;
  image = (const int64_t *)whole_file(path, &size) + 1;
  void *place = (void *)image[0];
  if (mmap(place, (size_t)image[1], PROT_READ | PROT_WRITE | PROT_EXEC,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != place)
    fail("its place in memory is taken", path);
  memcpy(place, image + 3 + 9 * image[2], (size_t)image[1]);
  __builtin___clear_cache(place, (char *)place + image[1]);
  return 1;
}

static void *in_image(const char *name) {
  for (const int64_t *one = image + 3; one < image + 3 + 9 * image[2]; one += 9)
    if (!strcmp((const char *)one, name)) return (void *)one[8];
  return NULL;
}
#endif

static void *library;

static void load(const char *path) {
#if defined(_WIN32)
  library = (void *)LoadLibraryA(path);
  if (!library) fail("cannot be loaded", path);
#else
#if defined(__linux__)
  if (load_image(path)) return;
#endif
  library = dlopen(path, RTLD_NOW);
  if (!library) fail("cannot be loaded", dlerror());
#endif
}

static void *function(const char *name) {
  void *found;
#if defined(_WIN32)
  found = (void *)GetProcAddress((HMODULE)library, name);
#elif defined(__linux__)
  found = library ? dlsym(library, name) : in_image(name);
#else
  found = dlsym(library, name);
#endif
  if (!found) fail("has no function", name);
  return found;
}

/* The files. */

static void put(FILE *file, const void *what, size_t size) {
  static const char zeros[8];
  if (fwrite(what, 1, size, file) != size || fwrite(zeros, 1, -size & 7, file) != (-size & 7))
    fail("cannot be written", "what calls leave");
}

typedef struct {
  const char *before;
  size_t size;
  char *now;
} Block;

/* Returns where the item behind the call that begins here is. */
static const int64_t *behind(const int64_t *at) {
  int64_t block_count = at[5], array_count = at[6], word_count = at[7];
  at += 9 + block_count;
  while (array_count--) at += 4 + at[3];
  return at + 2 * word_count;
}

/* Runs the call that begins here. */
static void run(const int64_t *at, const Block *contents, const char *level, FILE *found) {
  char name[128];
  snprintf(name, sizeof name, "plant_dynamics_%s_%s", (const char *)at, level);
  Kernel kernel = (Kernel)function(name);
  int64_t block_count = at[5], array_count = at[6], word_count = at[7], result_count = at[8];
  if (result_count > MOST_RESULTS) fail("has too many results", name);
  at += 9;

  Block *blocks = room(sizeof(Block) * (size_t)block_count);
  for (int64_t i = 0; i < block_count; ++i) {
    blocks[i] = contents[*at++];
    blocks[i].now = room(blocks[i].size);
    memcpy(blocks[i].now, blocks[i].before, blocks[i].size);
  }
  Array *arrays = room(sizeof(Array) * (size_t)array_count);
  for (int64_t i = 0; i < array_count; ++i) {
    Array array = {{0}, blocks[at[1]].now + at[2], (int32_t)at[3], 0, at + 4, 0, 0, &dtypes[at[0]],
                   IN_ONE_PIECE_ALIGNED_WRITABLE, 0};
    arrays[i] = array;
    at += 4 + array.dimensions;
  }
  int64_t *words = room(sizeof(int64_t) * (size_t)(3 + word_count));
  for (int64_t i = 0; i < 3; ++i) words[i] = (int64_t)(intptr_t)&dtypes[i];
  for (int64_t i = 0; i < word_count; ++i, at += 2)
    words[3 + i] = at[0] ? (int64_t)(intptr_t)&arrays[at[1]] : at[1];

  double results[MOST_RESULTS] = {0};
  int64_t status = kernel(words, results);

  put(found, &status, sizeof status);
  put(found, results, sizeof(double) * (size_t)result_count);
  for (int64_t i = 0; i < block_count; ++i) {
    int64_t changed = memcmp(blocks[i].now, blocks[i].before, blocks[i].size) != 0;
    put(found, &changed, sizeof changed);
    if (changed) put(found, blocks[i].now, blocks[i].size);
    free(blocks[i].now);
  }
  free(blocks), free(arrays), free(words);
}

int main(int count, char **arguments) {
  if (count != 2 && count != 6) fail("expected", "replay LIBRARY [LEVEL CALLS FOUND N]");
  load(arguments[1]);
  if (count == 2) {
    printf("%d\n", ((Level)function("plant_dynamics_level"))());
    return 0;
  }
  int64_t size, known = 0, room_for = 1024, every = atoi(arguments[5]);
  const int64_t *at = (const int64_t *)whole_file(arguments[3], &size), *end = at + size / 8;
  if (size < 8 || memcmp(at++, "PDCALLS1", 8)) fail("is no file of calls", arguments[3]);
  FILE *found = fopen(arguments[4], "wb");
  if (!found) fail("cannot be written", arguments[4]);
  put(found, "PDFOUND1", 8);

  Block *contents = room(sizeof(Block) * (size_t)room_for);
  while (at < end) {
    if (*at++) {
      if (at[4] % every == 0) run(at, contents, arguments[2], found);
      at = behind(at);
      continue;
    }
    if (known == room_for && !(contents = realloc(contents, sizeof(Block) * (size_t)(room_for *= 2))))
      fail("no memory", arguments[3]);
    contents[known++] = (Block){(const char *)(at + 1), (size_t)*at, NULL};
    at += 1 + (*at + 7) / 8;
  }
  if (fclose(found)) fail("cannot be written", arguments[4]);
  return 0;
}
