import { parseArgs } from 'node:util';
import { CliError, type Command, exits, type Io, type Stream } from './command.ts';
import { commands } from './commands.ts';
import { commandHelp, programHelp } from './help.ts';
import { terminalOutput } from './terminal/terminal-output.ts';

const usageError = (message: string): CliError => new CliError(message, exits.usage);

function readArguments(name: string, command: Command, given: readonly string[]) {
  const options = Object.entries(command.options).map(([option, { type, multiple = false }]) => [
    option,
    { type, multiple, ...(type === 'boolean' ? { default: false } : multiple ? { default: [] } : {}) },
  ]);
  try {
    return parseArgs({
      args: [...given],
      options: Object.fromEntries([...options, ['help', { type: 'boolean', default: false }]]) as Record<
        string,
        { type: 'boolean' | 'string'; multiple: boolean }
      >,
      allowPositionals: true,
    });
  } catch (error) {
    // parseArgs explains how to pass a positional that begins with a dash; the first sentence suffices.
    const [reason = ''] = (error as Error).message.split('. ');
    throw usageError(`${reason.replace(/\.$/u, '')}. See pnpm riskboard ${name} --help`);
  }
}

function checkCount(name: string, { count: [least, most], operands }: Command, given: number): void {
  if (given >= least && given <= most) return;
  const problem = given < least ? 'Something is missing' : 'There is too much';
  throw usageError(`${problem}. Usage: pnpm riskboard ${`${name} ${operands}`.trim()}`);
}

async function dispatch(given: readonly string[], io: Io): Promise<number> {
  const [name, ...rest] = given;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    io.stdout.write(programHelp());
    return name === undefined ? exits.usage : exits.done;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    throw usageError(`There is no command ${name}. The commands are ${Object.keys(commands).join(', ')}.`);
  }
  const { values, positionals } = readArguments(name, command, rest);
  if (values['help'] === true) {
    io.stdout.write(commandHelp(name, command));
    return exits.done;
  }
  checkCount(name, command, positionals.length);
  const run = await command.load();
  return run({ operands: positionals, options: values, io } as Parameters<typeof run>[0]);
}

/**
 * Runs one command.
 * @param given the arguments after the name of the program
 * @param to the process, to whose streams it writes
 * @returns the exit code
 */
export async function runCommandLine(given: readonly string[], to: Io<Stream>): Promise<number> {
  const io = { ...to, stdout: terminalOutput(to.stdout), stderr: terminalOutput(to.stderr) };
  try {
    return await dispatch(given, io);
  } catch (error) {
    if (io.signal.aborted) return exits.interrupted;
    const known = error as Error & { exitCode?: number };
    // Errors for the user carry an exit code; any other one is a fault of the program.
    if (known.exitCode === undefined) throw error;
    io.stderr.write(`${known.message}\n`);
    return known.exitCode;
  }
}
