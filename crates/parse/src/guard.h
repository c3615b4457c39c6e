// Work in C with a bound on what it allocates. guard.c explains how.

#ifndef LOCANT_GUARD_H
#define LOCANT_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Does work that may be abandoned. It may allocate `allocated` bytes with tree-sitter's allocator, and tree-sitter may
// visit `walked` nodes of its parse stack after errors. Returns whether the work came to its end. If it did not,
// everything it had allocated is freed.
bool locant_guarded(size_t allocated, size_t walked, void (*work)(void *), void *payload);

// Abandons the work that this thread does. There may be only frames of C above that work.
_Noreturn void locant_give_up(void);

// Decodes a character of UTF-8 as tree-sitter does, but replaces all beyond Latin-1 by U+00FF. Returns its length.
uint32_t locant_decode_narrow(const uint8_t *text, uint32_t length, int32_t *character);

#endif
