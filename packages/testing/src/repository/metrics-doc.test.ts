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

interface Content {
  content?: Record<string, unknown>;
}
interface Operation {
  requestBody?: Content;
  responses: Record<string, Content>;
}
const { paths } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const receivesOrSendsFile = ({ requestBody, responses }: Operation): boolean =>
  [requestBody, responses['200']].some((body) =>
    Object.keys(body?.content ?? {}).some((type) => type !== 'application/json'),
  );
/** Every route with its label in the metrics, and whether one of its methods receives or sends a file. */
const routes = Object.entries(paths).map(([path, operations]) => ({
  route: path.replaceAll(/\{(\w+)\}/gu, ':$1'),
  isFile: Object.values(operations).some(receivesOrSendsFile),
}));

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

/** Whether each selector of the rule leaves the route out, by its `route!~"…"`. */
function leavesOut(alert: string, route: string): boolean {
  const expr = rules.find((rule) => rule.alert === alert)?.expr ?? '';
  const selectors = [...expr.matchAll(/riskboard_http_\w+(?:\{([^}]*)\})?/gu)].map(
    ([, inside = '']) => inside,
  );
  expect(selectors.length).toBeGreaterThan(0);
  return selectors.every((inside) => {
    const pattern = /route!~"([^"]+)"/u.exec(inside)?.[1];
    return pattern !== undefined && new RegExp(`^(?:${pattern})$`, 'u').test(route);
  });
}

const checks = ['/api/health/live', '/api/health/ready', '/metrics'];

it('the alert about errors leaves out health checks, which reply 503 when a part is down, and scrapes', () => {
  expect(checks.filter((route) => !leavesOut('RiskboardErrors', route))).toEqual([]);
  expect(routes.map(({ route }) => route).filter((route) => leavesOut('RiskboardErrors', route))).toEqual(
    checks.filter((route) => route.startsWith('/api/')),
  );
});

it('the alert about slow replies leaves out every upload, export and printed report, and no other route', () => {
  const out = routes.filter(({ route }) => leavesOut('RiskboardSlow', route)).map(({ route }) => route);
  // Sends a whole report as JSON.
  const files = routes.filter(({ isFile, route }) => isFile || route === '/api/reports/files/:id');
  expect(out.length).toBeGreaterThan(10);
  expect(out).toEqual(files.map(({ route }) => route));
});

it('alert rules have the expressions that docs/operations.md explains', () => {
  const explained = [...document.matchAll(/^\| [^|]+ \| `([^`]*(?:riskboard|nodejs)_[^`]*)`/gmu)].map(
    // A bar in a cell of a Markdown table is escaped.
    ([, expr = '']) => expr.replaceAll(String.raw`\|`, '|'),
  );
  expect(rules.map(({ expr }) => expr).toSorted()).toEqual(explained.toSorted());
});
