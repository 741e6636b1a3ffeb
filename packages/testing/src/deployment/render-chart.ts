import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const chartFolder = fileURLToPath(new URL('../../../../deploy/helm/riskboard', import.meta.url));

export interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: Record<string, unknown>;
}

type Values = Record<string, unknown>;

const read = (file: string): string => readFileSync(join(chartFolder, file), 'utf8');

export const defaultValues = (): Values => parse(read('values.yaml')) as Values;

/** Whether `helm` can be run; without it the templates are only checked by their structure. */
export function hasHelm(): boolean {
  try {
    execFileSync('helm', ['version', '--short'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export function helm(...args: string[]): string {
  return execFileSync('helm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function parseResources(text: string): Resource[] {
  return parseAllDocuments(text)
    .map((document) => {
      const [error] = document.errors;
      if (error) throw error;
      return document.toJS() as Resource | null;
    })
    .filter((resource) => resource !== null);
}

export const templates = (): string[] =>
  readdirSync(join(chartFolder, 'templates')).filter((name) => name.endsWith('.yaml'));

/** The named templates of _helpers.tpl, as text. */
function definitions(): Map<string, string> {
  const found = new Map<string, string>();
  const pattern = /\{\{- define "([^"]+)" -\}\}\n([\s\S]*?)\n\{\{- end -\}\}(?=\n|$)/gu;
  for (const [, name = '', body = ''] of read('templates/_helpers.tpl').matchAll(pattern))
    found.set(name, body);
  return found;
}

const valueOf = (values: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Values | undefined)?.[key], values);

/**
 * The resources of a template without helm: every condition holds, values are the defaults, and text that only helm can
 * compute becomes `x`. It proves that indentation, names and fields are right, not that helm accepts each expression.
 */
export function outline(template: string): Resource[] {
  const named = definitions();
  const values = defaultValues();
  const expand = (text: string): string =>
    text
      .split('\n')
      .flatMap((line) => {
        const part = /^\s*\{\{- include "([^"]+)" \. \| nindent (\d+) \}\}$/u.exec(line);
        if (part) {
          const body = named.get(part[1] ?? '');
          if (body === undefined)
            throw new Error(`${template} includes ${part[1]}, which no template defines`);
          const indent = ' '.repeat(Number(part[2]));
          return expand(body)
            .split('\n')
            .map((one) => `${indent}${one}`);
        }
        const yaml = /^\s*\{\{- toYaml (?:\.Values\.)?(\S*) \| nindent (\d+) \}\}$/u.exec(line);
        if (yaml)
          return [`${' '.repeat(Number(yaml[2]))}${JSON.stringify(valueOf(values, yaml[1] ?? '') ?? {})}`];
        if (/^\s*\{\{-? ?(?:if|with|range|end|else)\b.*\}\}$/u.test(line)) return [];
        return [
          line.replaceAll(/\{\{-? (.*?) -?\}\}/gu, (_, expression: string) => {
            const path = /^\.Values\.([\w.]+)(?: \| quote)?$/u.exec(expression)?.[1];
            if (path === undefined) return 'x';
            const value = valueOf(values, path);
            if (value === undefined) throw new Error(`${template}: values.yaml lacks ${path}`);
            return JSON.stringify(value);
          }),
        ];
      })
      .join('\n');
  return parseResources(expand(read(`templates/${template}`)));
}
