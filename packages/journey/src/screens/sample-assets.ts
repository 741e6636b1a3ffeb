import type { Page } from 'playwright-core';

/** Invented assets of the demo organization. */
const assets = [
  {
    name: 'Gate camera network',
    description: 'Cameras and plate readers of all gates',
    assetTypeId: 3,
    criticality: 3,
    confidentialityLevel: 2,
    integrityLevel: 3,
    availabilityLevel: 3,
  },
  {
    name: 'Crane controller',
    description: 'Moves the container cranes of quay 4',
    assetTypeId: 1,
    criticality: 5,
    confidentialityLevel: 2,
    integrityLevel: 4,
    availabilityLevel: 4,
  },
] as const;

/** Calls the api as the page itself would. */
const call = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate(
    async ([verb, to, text]) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(to ?? '', {
        method: verb ?? '',
        ...(text === '' ? {} : { headers, body: text ?? '' }),
      });
      if (!answer.ok) throw new Error(`${to}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
    [method, path, body === undefined ? '' : JSON.stringify(body)],
  );

/**
 * Creates a project with two assets and relates them to the most severe vulnerabilities and threats, of which every
 * second one affects both assets. Does nothing when the organization already has assets.
 */
export async function createSampleAssets(page: Page): Promise<void> {
  if ((await call(page, 'GET', '/api/assets?pageSize=1'))['total'] !== 0) return;
  const { _id: projectId } = await call(page, 'POST', '/api/projects', {
    name: 'Quay 4',
    description: 'Container terminal with four cranes',
    startDate: '2026-01-05T00:00:00.000Z',
  });
  const created: unknown[] = [];
  for (const asset of assets) {
    const body = { ...asset, projectId, isActive: true };
    created.push((await call(page, 'POST', `/api/assets?projectId=${String(projectId)}`, body))['_id']);
  }
  for (const [kind, sort] of [
    ['vulnerabilities', '-severity'],
    ['threats', '-riskLevel'],
  ] as const) {
    const list = await call(page, 'GET', `/api/${kind}?sort=${sort}&pageSize=6`);
    for (const [n, { _id }] of (list[kind] as { _id: string }[]).entries())
      await call(page, 'PUT', `/api/${kind}/${_id}`, {
        relatedAssets: n % 2 === 0 ? created : created.slice(1),
      });
  }
}
