import type { Command, Option } from './command.ts';
import { commands } from './commands.ts';

const width = 92;

/** Breaks text at spaces into lines of at most `width` characters, each after the indentation. */
function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one) => `${indent}${one}`).join('\n');
}

/** Two columns; a long first column has its text on the next line. */
function columns(rows: readonly (readonly [string, string])[], column = 26): string {
  return rows
    .map(([name, text]) => {
      const body = wrap(text, ' '.repeat(column));
      const first = `  ${name}`;
      return first.length + 2 > column ? `${first}\n${body}` : first + body.slice(first.length);
    })
    .join('\n');
}

const flag = (name: string, option: Option): string =>
  option.type === 'boolean' ? `--${name}` : `--${name} ${option.value ?? 'VALUE'}`;

const exitCodes = columns([
  ['0', 'done'],
  ['1', 'something failed; the message says what'],
  ['2', 'the command line is wrong'],
  ['78', 'the configuration is wrong: a variable, the token, the data folder'],
]);

/** The help of the program. */
export function programHelp(): string {
  const rows = Object.entries(commands).map(
    ([name, { operands, summary }]) => [`${name} ${operands}`.trim(), summary] as const,
  );
  return `Riskboard: the command line of a Riskboard server.

Usage: pnpm riskboard <command> [options]

Commands
${columns(rows)}

Remote commands (upload, jobs, export) call the HTTP API. They read
  RISKBOARD_URL           address of the server; default http://127.0.0.1:3000
  RISKBOARD_TOKEN         an API token, made in the web under Settings, API tokens

Commands on the server (users, backup, restore, doctor) read its environment, as npm start does:
DATA_DIR, DATABASE_URL and the other variables of .env.example, also from the file .env.

Exit codes
${exitCodes}

pnpm riskboard <command> --help explains a command.
`;
}

/** The help of one command. */
export function commandHelp(name: string, command: Command): string {
  const options = Object.entries(command.options).map(
    ([option, value]) => [flag(option, value), value.help] as const,
  );
  const variables = Object.entries(command.environment);
  return [
    `Usage: pnpm riskboard ${[name, command.operands, '[options]'].filter(Boolean).join(' ')}`,
    ...command.description.map((paragraph) => wrap(paragraph, '')),
    `Options\n${columns([...options, ['--help', 'Show this help.']])}`,
    ...(variables.length > 0 ? [`Environment\n${columns(variables)}`] : []),
    `Examples\n${command.examples.map(([line, text]) => `  pnpm riskboard ${line}\n${wrap(text, '      ')}`).join('\n')}`,
    `Exit codes\n${exitCodes}`,
  ]
    .join('\n\n')
    .concat('\n');
}
