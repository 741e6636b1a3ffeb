import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { notesVariable } from '../missing.ts';

const run = promisify(execFile);
let folder: string;
let notes: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'riskboard-advisories-'));
  notes = join(folder, 'notes');
  await writeFile(notes, '');
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs the step with a `pnpm` that prints this and ends with this code. */
async function runStep(output: string, code: number): Promise<void> {
  await writeFile(join(folder, 'pnpm'), `#!/bin/sh\necho '${output}'\nexit ${code}\n`, { mode: 0o755 });
  const PATH = `${folder}${delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH, [notesVariable]: notes };
  await run(process.execPath, [join(import.meta.dirname, 'check-advisories.ts')], { env });
}

it('the step passes with a closing note when the registry does not answer', async () => {
  await runStep('Error: ERR_PNPM_AUDIT_BAD_RESPONSE', 1);
  await expect(readFile(notes, 'utf8')).resolves.toBe(
    'Advisories of dependencies were not checked: the registry did not answer.\n',
  );
});

it('the step passes without a closing note when the audit finds nothing', async () => {
  await runStep('No known vulnerabilities found', 0);
  await expect(readFile(notes, 'utf8')).resolves.toBe('');
});

it('the step fails when the audit finds a severe advisory', async () => {
  await expect(runStep('1 vulnerabilities found', 1)).rejects.toMatchObject({ code: 1 });
});
