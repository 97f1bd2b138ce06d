#ifndef API_CLI_H
#define API_CLI_H

/*
 * The sub-commands. Each gets its own arguments with its name as argv[0] and returns the exit code
 * of the process (the enum in config.h).
 */

#define BANZUKE_VERSION "0.1.0"

int cli_serve(int argc, char **argv);
int cli_migrate(int argc, char **argv);
int cli_backup(int argc, char **argv);
int cli_verify(int argc, char **argv);
int cli_record(int argc, char **argv);
int cli_void_game(int argc, char **argv);
int cli_ban(int argc, char **argv);
int cli_unban(int argc, char **argv);
int cli_rename(int argc, char **argv);
int cli_perft(int argc, char **argv);
int cli_engine(int argc, char **argv);

#endif
