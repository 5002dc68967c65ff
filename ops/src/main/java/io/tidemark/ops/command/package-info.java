/**
 * The command line: one class a command. Results go to {@link io.tidemark.ops.command.Console#out}, everything else to
 * {@link io.tidemark.ops.command.Console#err}; what goes wrong is thrown, and turned into one or two sentences and an
 * exit code in one place, {@link io.tidemark.ops.command.CommandLineRunner}.
 */
package io.tidemark.ops.command;
