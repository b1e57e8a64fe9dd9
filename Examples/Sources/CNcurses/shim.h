// SPDX-License-Identifier: Apache-2.0

#pragma once

// ncurses with wide characters. Its macros and its global screen can't be used from Swift: each has a function here.
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

// What was read: a character, one of the keys that ncurses has a number for, the mouse, or nothing more; and what the
// mouse did.
enum {
    SHELL_NOTHING,
    SHELL_CHARACTER,
    SHELL_KEY,
    SHELL_MOUSE,
    SHELL_MOUSE_DOWN,
    SHELL_MOUSE_UP,
    SHELL_WHEEL_UP,
    SHELL_WHEEL_DOWN,
    SHELL_OTHER_BUTTON,
};

// The keys that stand for the start and the end of a pasted text, beyond ncurses' own.
enum {
    SHELL_PASTE_START = KEY_MAX + 1,
    SHELL_PASTE_END,
};

typedef struct {
    int kind;
    // The character's or the key's number.
    unsigned int code;
    int column;
    int row;
} shell_input;

enum {
    SHELL_DIRECT_COLORS = 1 << 24,
};

enum {
    SHELL_BOLD = 1,
    SHELL_DIM = 2,
    SHELL_REVERSE = 4,
};

// Goes by the locale of the environment, which ncurses writes in. One that is not installed is the one called C then,
// in which nothing but ASCII can be written: where it was to be Unicode, another one that is comes in its place.
static inline void shell_take_locale(bool wants_unicode) {
    if (setlocale(LC_ALL, "") || setlocale(LC_CTYPE, "") || !wants_unicode) return;
    if (!setlocale(LC_CTYPE, "C.UTF-8")) setlocale(LC_CTYPE, "en_US.UTF-8");
}

// Whether the locale that was taken is Unicode.
static inline bool shell_is_unicode(void) {
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

// From term.h, whose macros take names such as `columns`.
extern char *tigetstr(const char *name);

// Asks a terminal that can do so to mark what it pastes (bracketed paste), or no longer to do so.
static inline void shell_mark_pastes(bool wanted) {
    const char *text = tigetstr(wanted ? "BE" : "BD");
    if (!text || text == (const char *)-1) return;
    fputs(text, stdout);
    fflush(stdout);
}

// Takes the terminal over; false where it can't be drawn on.
static inline bool shell_curses_start(void) {
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (!screen) return false;
    set_term(screen);
    set_escdelay(25);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    // Home and End as terminals send them that differ from the description by their name.
    define_key("\033[1~", KEY_HOME);
    define_key("\033[H", KEY_HOME);
    define_key("\033[4~", KEY_END);
    define_key("\033[F", KEY_END);
    define_key("\033[200~", SHELL_PASTE_START);
    define_key("\033[201~", SHELL_PASTE_END);
    shell_mark_pastes(true);
    return true;
}

// Gives the terminal back as it was; the next flush takes it over again.
static inline void shell_curses_end(void) {
    if (isendwin()) return;
    shell_mark_pastes(false);
    endwin();
}

// Stops this program as Ctrl-Z does to one that leaves the signal alone, and comes back when it goes on; at once where
// no shell could ever continue it, as the system does not stop it there.
static inline void shell_stop(void) {
    sigset_t stops, before;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTSTP);
    void (*handler)(int) = signal(SIGTSTP, SIG_DFL);
    // To this thread, which Dispatch lets no signal through to: another one might stop only after the signal is taken
    // over again below, and so not at all.
    raise(SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stops, &before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    signal(SIGTSTP, handler);
}

// Whether no shell has put this program into the background, where the terminal is not its own to draw on.
static inline bool shell_is_in_foreground(void) {
    pid_t group = tcgetpgrp(STDIN_FILENO);
    return group < 0 || group == getpgrp();
}

// Begins with colours and tells how many there are: none, or SHELL_DIRECT_COLORS where a colour's number is its red,
// green and blue.
static inline int shell_curses_colors(void) {
    if (!has_colors() || start_color() != OK || use_default_colors() != OK) return 0;
    if (COLORS >= SHELL_DIRECT_COLORS && tigetflag("RGB") > 0) return SHELL_DIRECT_COLORS;
    return COLORS > 256 ? 256 : COLORS;
}

// Makes a colour pair of a foreground and a background, of which -1 is the terminal's own; false where there is no more.
static inline bool shell_curses_pair(short pair, int foreground, int background) {
    if (pair >= COLOR_PAIRS) return false;
#if defined(NCURSES_EXT_COLORS) && NCURSES_EXT_COLORS
    return init_extended_pair(pair, foreground, background) == OK;
#else
    return init_pair(pair, (short)foreground, (short)background) == OK;
#endif
}

// Fills what is not drawn with a pair's background.
static inline void shell_curses_background(short pair) {
    cchar_t blank;
    if (setcchar(&blank, L" ", A_NORMAL, pair, NULL) == OK) bkgrndset(&blank);
}

static inline int shell_curses_rows(void) {
    return LINES;
}

static inline int shell_curses_columns(void) {
    return COLS;
}

// The terminal has another size now.
static inline void shell_curses_resize(int rows, int columns) {
    resizeterm(rows, columns);
}

static inline void shell_curses_clear(void) {
    erase();
}

// Draws everything anew with the next flush, whatever is believed to be there.
static inline void shell_curses_redraw(void) {
    clearok(stdscr, TRUE);
}

static inline void shell_curses_draw(int row, int column, const char *text, int look, short pair) {
    attr_t attributes = A_NORMAL;
    if (look & SHELL_BOLD) attributes |= A_BOLD;
    if (look & SHELL_DIM) attributes |= A_DIM;
    if (look & SHELL_REVERSE) attributes |= A_REVERSE;
    attr_set(attributes, pair, NULL);
    mvaddstr(row, column, text);
    attr_set(A_NORMAL, 0, NULL);
}

// Shows the terminal's cursor at a place, or hides it where the row is negative.
static inline void shell_curses_cursor(int row, int column) {
    if (row < 0) {
        curs_set(0);
        return;
    }
    curs_set(1);
    move(row, column);
}

static inline void shell_curses_flush(void) {
    if (isendwin()) shell_mark_pastes(true);
    refresh();
}

// What the mouse did, the newest first: more than one touch may stand behind one SHELL_MOUSE.
static inline shell_input shell_curses_mouse(void) {
    shell_input input = {SHELL_NOTHING, 0, 0, 0};
    MEVENT event;
    if (getmouse(&event) != OK) return input;
    input.column = event.x;
    input.row = event.y;
    if (event.bstate & BUTTON1_PRESSED) input.kind = SHELL_MOUSE_DOWN;
    else if (event.bstate & BUTTON1_RELEASED) input.kind = SHELL_MOUSE_UP;
    else if (event.bstate & BUTTON4_PRESSED) input.kind = SHELL_WHEEL_UP;
    else if (event.bstate & BUTTON5_PRESSED) input.kind = SHELL_WHEEL_DOWN;
    else input.kind = SHELL_OTHER_BUTTON;
    return input;
}

// Reads what has come, without waiting.
static inline shell_input shell_curses_read(void) {
    wint_t code = 0;
    shell_input input = {SHELL_NOTHING, 0, 0, 0};
    int answer = get_wch(&code);
    if (answer == ERR) return input;
    if (answer == KEY_CODE_YES) input.kind = code == KEY_MOUSE ? SHELL_MOUSE : SHELL_KEY;
    else input.kind = SHELL_CHARACTER;
    input.code = code;
    return input;
}

// Whether nothing more will ever come, as the terminal has gone: there is something to read, and it is nothing.
static inline bool shell_input_is_gone(void) {
    fd_set inputs;
    FD_ZERO(&inputs);
    FD_SET(STDIN_FILENO, &inputs);
    struct timeval now = {0, 0};
    if (select(STDIN_FILENO + 1, &inputs, NULL, NULL, &now) != 1) return false;
    int count = 0;
    return ioctl(STDIN_FILENO, FIONREAD, &count) != 0 || count == 0;
}

typedef struct {
    int columns, rows;
} shell_size;

// How large the terminal is; of no columns where it does not say.
static inline shell_size shell_terminal_size(void) {
    struct winsize size;
    shell_size answer = {0, 0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0)
        answer = (shell_size){size.ws_col, size.ws_row};
    return answer;
}
