import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { signUp } from '../../testing/person.ts';
import { bundle } from '../../testing/report.ts';
import { startApi, type TestApi } from '../../testing/start-api.ts';
import { waitForJob } from './prefer-wait.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterEach(() => void vi.restoreAllMocks());
afterAll(() => api.close());

it('a wait ends also when the clock of the computer is set back meanwhile', async () => {
  const ada = await signUp(api);
  const { jobId: id } = (await ada.upload({ name: 'a.json', content: bundle('a') })).json<{
    jobId: string;
  }>();
  const waiting = waitForJob(api.database, { organizationId: ada.user.organizationId, id }, 0.1);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000);
  expect(await waiting).toMatchObject({ id, state: 'queued' });
});
