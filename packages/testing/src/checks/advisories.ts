import { execFile } from 'node:child_process';

/** Advisories of these severities fail the check; SECURITY.md has the deadlines for all others. */
const level = 'high';

export interface Audit {
  code: number;
  output: string;
}

/** `unknown`: the registry gave no answer, so nothing was checked. */
export type Verdict = 'clean' | 'vulnerable' | 'unknown';

/** pnpm ends with 1 both for advisories and for a registry that it cannot reach. */
export function verdictOf({ code, output }: Audit): Verdict {
  if (code === 0) return 'clean';
  return /ERR_PNPM|ENOTFOUND|ECONN|ETIMEDOUT|EAI_AGAIN/u.test(output) ? 'unknown' : 'vulnerable';
}

/** Asks the registry for advisories about the packages that production uses. */
export const audit = (): Promise<Audit> =>
  new Promise((resolve) => {
    const options = { timeout: 60_000 };
    execFile('pnpm', ['audit', '--prod', `--audit-level=${level}`], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : 1;
      // Without output the command did not run or took too long.
      resolve({ code, output: `${stdout}${stderr}` || (error === null ? '' : 'ETIMEDOUT') });
    });
  });
