import type { CwssExplanation, Job, Vulnerability } from '@riskboard/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Product, startProduct } from '../support/product.ts';
import { repeatUnavailable } from '../support/repeat-unavailable.ts';

let product: Product;
let origin: string;
let cookie: string;
beforeAll(async () => {
  product = await startProduct();
  origin = product.origins[0] ?? '';
  const body = { email: 'ada@example.org', password: 'correct horse battery staple', firstName: 'Ada' };
  const answer = await call('POST', '/auth/signup', body);
  cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
});
afterAll(() => product.stop());

const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  repeatUnavailable(() =>
    fetch(`${origin}/api${path}`, {
      method,
      headers: {
        origin,
        ...(cookie && { cookie }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );

async function read<T>(answer: Promise<Response>, status = 200): Promise<T> {
  const got = await answer;
  const body = (await got.json()) as T;
  expect({ status: got.status, body }).toMatchObject({ status });
  return body;
}

interface UploadedVignette {
  _id: string;
  action: string;
  version: number;
}

/** Uploads the vignette with another rating of data that is read. */
function uploadVignette(subscore: number): Promise<UploadedVignette> {
  const cell = { impact: 'Read data', layer: 'Application', subscore, notes: 'Customer data' };
  const form = new FormData();
  form.set('vignetteFile', new Blob([JSON.stringify({ name: 'Shop', scorecard: [cell] })]), 'shop.json');
  const url = `${origin}/api/reports/upload-vignette`;
  return read(
    repeatUnavailable(() => fetch(url, { method: 'POST', headers: { origin, cookie }, body: form })),
    201,
  );
}

const createVulnerability = async (name: string, cwe: string): Promise<string> => {
  const body = { name, description: 'Found in a test', severity: 7, cwe, cveId: 'CVE-2024-12345' };
  return (await read<Vulnerability>(call('POST', '/vulnerabilities', body), 201))._id;
};

const explanation = (id: string) => read<CwssExplanation>(call('GET', `/vulnerabilities/${id}/cwss`));

/** Waits for the explanation to have these fields. */
const until = (id: string, fields: object) =>
  vi.waitFor(
    async () => {
      const explained = await explanation(id);
      expect(explained).toMatchObject(fields);
      return explained;
    },
    { timeout: 90_000, interval: 100 },
  );

async function ended(jobId: string): Promise<Job> {
  return vi.waitFor(
    async () => {
      const job = await read<Job>(call('GET', `/jobs/${jobId}`));
      expect(job.finishedAt).not.toBeNull();
      return job;
    },
    { timeout: 90_000, interval: 100 },
  );
}

it('scores follow an uploaded vignette: one, all, a factor of an analyst, a changed cell, and automatic recalculation', async () => {
  const { _id: vignetteId, action } = await uploadVignette(5);
  expect(action).toBe('created');
  const script = await createVulnerability('Script in names', 'CWE-79');
  const query = await createVulnerability('Query in names', 'CWE-89');

  // One vulnerability: the call itself waits for the score.
  const calculate = '/reports/vulnerability/calculateCwss';
  const wait = { prefer: 'wait=30' };
  const one = await read<{ vulnerability: Vulnerability; cwssScore: number; message: string }>(
    call('POST', calculate, { id: script, vignetteId }, wait),
  );
  expect(one).toMatchObject({
    message: 'Calculation applied',
    vulnerability: { _id: script, cwssScore: one.cwssScore, appliedVignette: 'Shop', cwssState: 'current' },
  });
  expect(await explanation(script)).toMatchObject({
    score: one.cwssScore,
    technicalImpact: { impact: 'Read data', subscore: 5, cwe: 'CWE-79', fallback: null },
    calculatedBy: 'Ada',
    stale: false,
  });

  // All: the one that has its score already is unchanged.
  const { jobId } = await read<{ jobId: string }>(
    call('POST', `${calculate}/bulk`, { filter: {}, vignetteId }),
    202,
  );
  expect(await ended(jobId)).toMatchObject({
    state: 'succeeded',
    result: { matched: 2, changed: 1, unchanged: 1, skipped: [] },
  });
  expect(await explanation(query)).toMatchObject({ version: 1, technicalImpact: { cwe: 'CWE-89' } });

  const factors = { BI: { value: 'C', reason: 'The shop sells everything.' } };
  const set = await read<CwssExplanation>(call('PUT', `/vulnerabilities/${script}/cwss/factors`, factors));
  expect(set).toMatchObject({ version: 2, cause: 'factors', vignetteVersion: 1 });
  expect(set.score).toBeGreaterThan(one.cwssScore);

  // A changed cell makes both scores stale at once; they keep their values.
  expect(await uploadVignette(9)).toMatchObject({ _id: vignetteId, action: 'replaced', version: 2 });
  expect(await explanation(script)).toMatchObject({
    score: set.score,
    stale: true,
    staleReasons: [{ code: 'vignette', reason: 'The vignette has a newer version.' }],
  });
  const stale = await read<{ total: number }>(call('GET', '/vulnerabilities?cwssState=stale'));
  expect(stale.total).toBe(2);

  await read(call('PUT', '/organization', { autoRecalculateCwss: true }));
  const recalculated = await until(script, {
    version: 3,
    stale: false,
    cause: 'automatic',
    vignetteVersion: 2,
  });
  expect(recalculated.score).toBeGreaterThan(set.score);
  expect(recalculated).toMatchObject({
    calculatedBy: '',
    overrides: { BI: { value: 'C', by: 'Ada' } },
    history: [
      { version: 3, changes: ['vignette version 1 to 2', 'TI: Q 0.5 to Q 0.9'] },
      { version: 2, changes: [expect.stringMatching(/^BI: [A-Z]+ to C$/u)] },
      { version: 1, changes: [] },
    ],
  });

  // Every later change is followed, too: without a CWE the technical impact has its default.
  await read(call('PUT', `/vulnerabilities/${query}`, { cwe: '' }));
  const without = await until(query, { version: 3, stale: false, vignetteVersion: 2 });
  expect(without.technicalImpact.fallback).toBe('The vulnerability has no CWE.');
  expect(without.history[0]?.changes).toContain('CWE CWE-89 to none');
});
