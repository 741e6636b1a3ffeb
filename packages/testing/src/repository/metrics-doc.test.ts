import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../../..');
const sources = ['api/src/metrics', 'packages/operation/src/metrics', 'worker/src'];
/** The section "Metrics and alerts". */
const [, document = ''] =
  /^## Metrics and alerts$(.*?)^## /msu.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8')) ?? [];

interface Rule {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}
const { groups } = parse(readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8')) as {
  groups: { name: string; rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** Names of the product's metrics in the code, from their definitions. */
const defined = new Set(
  sources.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .flatMap((name) => [
        ...readFileSync(join(root, folder, name), 'utf8').matchAll(/name: '(riskboard_\w+)'/gu),
      ])
      .map(([, name = '']) => name),
  ),
);

it('docs/operations.md lists exactly the metrics of the code', () => {
  const listed = [...document.matchAll(/^\| `(riskboard_\w+)`(?: \{[^}|]+\})? \|/gmu)].map(
    ([, name = '']) => name,
  );
  expect(defined.size).toBeGreaterThan(10);
  expect(listed.toSorted()).toEqual([...defined].toSorted());
});

it('alert rules use only metrics that exist, and each says what to do', () => {
  expect(rules.length).toBeGreaterThan(8);
  for (const { alert, expr, labels, annotations } of rules) {
    expect(alert).toMatch(/^Riskboard[A-Z]\w+$/u);
    expect(labels.severity).toMatch(/^(?:critical|warning|info)$/u);
    expect(annotations.description.length).toBeGreaterThan(10);
    for (const [name] of expr.matchAll(/riskboard_\w+/gu))
      expect([...defined], `${alert} uses ${name}`).toContain(name.replace(/_(?:bucket|count|sum)$/u, ''));
  }
});

it('alert rules have the expressions that docs/operations.md explains', () => {
  const explained = [...document.matchAll(/^\| [^|]+ \| `([^`]*(?:riskboard|nodejs)_[^`]*)`/gmu)].map(
    ([, expr = '']) => expr,
  );
  expect(rules.map(({ expr }) => expr).toSorted()).toEqual(explained.toSorted());
});
