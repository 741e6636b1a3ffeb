import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { reportMissing } from '../missing.ts';
import { isProgram, pathsOf } from '../programs.ts';

const chartFolder = fileURLToPath(new URL('../../../../deploy/helm/riskboard', import.meta.url));

export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: Record<string, unknown>;
}

/**
 * The path of Helm in `PATH`, else null, which the closing lines of `npm test` report. `scripts/install-helm.sh` installs
 * it. @throws when `CI` is `true` and there is no Helm
 */
export function helmPath(): string | null {
  const found = pathsOf('helm').find(isProgram);
  if (found !== undefined) return found;
  reportMissing('Helm', 'not found in PATH; scripts/install-helm.sh installs it');
  return null;
}

export interface Chart {
  /** @throws with the message of Helm when the chart or a value is invalid */
  render(values?: Record<string, unknown>): Resource[];
  /** @returns the output of `helm lint --strict` */
  lint(values?: Record<string, unknown>): string;
}

/** Values of a test replace the defaults of the chart, key by key. */
export function chartWith(helm: string): Chart {
  const run = (command: readonly string[], values: Record<string, unknown> = {}): string =>
    execFileSync(helm, [...command, chartFolder, '--values', '-'], {
      encoding: 'utf8',
      input: JSON.stringify(values),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  return {
    render: (values) => parseResources(run(['template', 'x'], values)),
    lint: (values) => run(['lint', '--strict'], values),
  };
}

function parseResources(text: string): Resource[] {
  return parseAllDocuments(text)
    .map((document) => {
      const [error] = document.errors;
      if (error) throw error;
      return document.toJS() as Resource | null;
    })
    .filter((resource) => resource !== null);
}
