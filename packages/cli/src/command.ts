import { badConfigurationExit } from '@riskboard/contract/environment';

/** Exit codes of the program (contract, Command line); `interrupted` is the shell's code for Ctrl-C. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 2,
  configuration: badConfigurationExit,
  interrupted: 130,
} as const;

/** An error that the user can fix: printed as one line, without a stack. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exits.failed, cause?: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

export interface Option {
  type: 'boolean' | 'string';
  /** May be given several times. */
  multiple?: true;
  /** Name of the value in the help; only for strings. */
  value?: string;
  help: string;
}

export type Options = Readonly<Record<string, Option>>;

type ValueOf<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { multiple: true }
    ? readonly string[]
    : string | undefined;

export type Values<O extends Options> = { readonly [K in keyof O]: ValueOf<O[K]> };

/** A stream of the process. */
export interface Stream {
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Where a command writes; control characters in its text do not reach a terminal. */
export interface Output {
  write(text: string | Uint8Array, done?: (error?: Error | null) => void): void;
  /** Writes a value as JSON that any reader can parse, also a terminal. */
  writeJson(value: unknown, indent?: number): void;
  isTTY: boolean;
  /** Replaces the current line of a terminal. */
  redraw(line: string): void;
}

/** What a command gets from the process that runs it. */
export interface Io<To = Output> {
  stdout: To;
  stderr: To;
  environment: Readonly<Record<string, string | undefined>>;
  /** Relative paths are relative to it. */
  folder: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export interface Call<O extends Options> {
  operands: readonly string[];
  options: Values<O>;
  io: Io;
}

/** @returns the exit code. @throws CliError */
export type Run<O extends Options> = (call: Call<O>) => Promise<number>;

export interface Command<O extends Options = Options> {
  summary: string;
  /** Operands in the usage line, such as `<FILE>`. */
  operands: string;
  /** Least and largest number of operands. */
  count: readonly [number, number];
  /** Paragraphs of the help. */
  description: readonly string[];
  options: O;
  /** Variables that it reads, by name. */
  environment: Readonly<Record<string, string>>;
  examples: readonly (readonly [command: string, meaning: string])[];
  /** Loads the command's own modules, so that a command for a remote server loads no database driver. */
  load(): Promise<Run<O>>;
}

/** Keeps the types of the options while the table holds commands of any options. */
export const defineCommand = <const O extends Options>(command: Command<O>): Command =>
  command as unknown as Command;
