import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const versionIn = (file: string): string => (JSON.parse(read(file)) as { version: string }).version;

it('every package, the chart and openapi.json have the version of the product', () => {
  const packages = globSync(['{api,worker,web,migrations}/package.json', 'packages/*/package.json'], {
    cwd: root,
  });
  expect(packages.length).toBeGreaterThan(10);
  const chart = parse(read('deploy/helm/riskboard/Chart.yaml')) as { version: string; appVersion: string };
  const openapi = JSON.parse(read('openapi.json')) as { info: { version: string } };
  const versions = {
    ...Object.fromEntries(packages.map((file) => [file, versionIn(file)])),
    'version of Chart.yaml': chart.version,
    'appVersion of Chart.yaml': chart.appVersion,
    'openapi.json': openapi.info.version,
  };
  const version = versionIn('package.json');
  expect(Object.entries(versions).filter(([, other]) => other !== version)).toEqual([]);
});
