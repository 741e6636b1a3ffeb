import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const read = (file: string): string => readFileSync(join(import.meta.dirname, '../../../..', file), 'utf8');
const numberIn = (file: string, pattern: RegExp): number => Number(pattern.exec(read(file))?.[1]);

it.each([
  ['docs/operations.md', /client_max_body_size (\d+)m;/u],
  ['deploy/helm/riskboard/values.yaml', /proxy-body-size: (\d+)m$/mu],
])('the proxy of %s accepts the largest report with the rest of its form', (file, pattern) => {
  const largest = numberIn('.env.example', /^UPLOAD_MAX_BYTES=(\d+)$/mu);
  expect(numberIn(file, pattern) * 2 ** 20).toBeGreaterThan(largest);
});
