#include "cli.h"
#include "config.h"
#include "engine_loop.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: banzuke engine\n"
    "\n"
    "Answers questions about the rules: one JSON object a line on stdin, one answer object a line\n"
    "on stdout, in order. A bad line gets an error object and the next one is read.\n"
    "\n"
    "  {\"op\":\"legal\",\"game\":\"hasami\"}\n"
    "      -> {\"moves\":[...]}                     also: position, options, moves (played first)\n"
    "  {\"op\":\"play\",\"game\":\"hasami\",\"moves\":[\"5i5e\"]}\n"
    "      -> {\"positions\",\"captured\",\"eliminations\",\"end\"}   also: position, options\n"
    "  {\"op\":\"perft\",\"game\":\"hasami\",\"depth\":3}\n"
    "      -> {\"nodes\"}                           also: position, options\n"
    "  {\"op\":\"legal\",\"game\":\"yonin\",\"options\":{\"format\":\"pairs\"}}\n"
    "      four-player shogi; its options are in banzuke perft --help, eliminations are mates\n"
    "  what is wrong\n"
    "      -> {\"error\":{\"code\",\"detail\"}}        of a move also: ply, reason and, where "
    "squares\n"
    "                                            explain it, squares\n"
    "\n"
    "exit: 0 at the end of the input, 64 usage, 70 no memory, 74 a stream failed\n";

int cli_engine(int argc, char **argv)
{
    if (argc > 1) {
        bool helped = strcmp(argv[1], "--help") == 0 && argc == 2;
        (void)fputs(help, helped ? stdout : stderr);
        return helped ? 0 : EXIT_USAGE;
    }
    return engine_loop(stdin, stdout);
}
