/* base/key.h: a key as an integer, and its name. The terminal makes key codes (front/tui), tables have them (keys.def
 * of front/tutor and front/debug), and all that stands between compares integers. Names are for people: help, footers,
 * scripts of talks, tests. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* A printable character is its code point, the others are those of base/keys.def. */
typedef uint32_t key_code;

enum {
	KEYC_NONE = 0,
#define KEYC(id, code, name, label) KEYC_##id = (code),
#include "base/keys.def"
#undef KEYC
};

/* Whether the key types a character into a line or a text: a printable one, or a blank. */
static inline bool key_types(key_code key)
{
	return key >= KEYC_SPACE && key < KEYC_LEFT;
}

/* The key that a name stands for: "k", "é", "PgUp". KEYC_NONE where there is none. */
key_code key_named(const char *name);

/* A name by value, so that one can be written in the call that prints it. "" for KEYC_NONE. */
struct key_text {
	char text[16];
};
struct key_text key_string(key_code key);

/* How the key is written on the screen: arrows as arrows, all others by name. */
struct key_text key_label(key_code key);
