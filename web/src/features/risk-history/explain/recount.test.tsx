import { accounts, type Job, overview, type RecomputeResult } from '@riskboard/contract';
import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { jobStore } from '../../../lib/jobs/job-store.ts';
import { renderPart } from '../../../testing/render-app.tsx';
import { jobOf, newId, userOf } from '../../../testing/rows.ts';
import { accepted, answer, refusal, server, useServer } from '../../../testing/server.ts';
import { Recount } from './recount.tsx';

useServer();

const matching: RecomputeResult = { checked: 80, repaired: 0, differences: [], recounted: 0, snapshots: 1 };
const status = () => screen.getByRole('status').textContent;

/** Requests a recount; `report` is what a worker then says about its job. */
async function start() {
  const jobId = newId();
  server.use(
    answer(accounts.me, () => ({ user: userOf({ role: 'analyst' }) })),
    answer(overview.recompute, () => accepted(jobId)),
  );
  const { user, queryClient } = renderPart(<Recount />);
  const refetched = vi.spyOn(queryClient, 'invalidateQueries');
  await user.click(await screen.findByRole('button', { name: 'Recount now' }));
  const report = (change: Partial<Job>) =>
    act(
      async () =>
        void jobStore.apply(jobOf({ _id: jobId, kind: 'metrics.recompute', fileId: null, ...change })),
    );
  return { report, refetched };
}

it('a recount shows its phase, then that no number differed, and reads the overview again', async () => {
  const { report, refetched } = await start();
  await report({ version: 2, state: 'running', progress: { phase: 'comparing', done: 0, total: 0 } });
  await vi.waitFor(() => expect(status()).toBe('Comparing the numbers with the records'));
  await report({ version: 3, state: 'succeeded', result: matching });
  await vi.waitFor(() => expect(status()).toBe('No difference'));
  expect(refetched).toHaveBeenCalledWith({ queryKey: ['overview'] });
});

it.each([
  [{ repaired: 1 }, '1 difference repaired'],
  [{ repaired: 1200 }, '1,200 differences repaired'],
  [{ repaired: 2, recounted: 1 }, '2 differences repaired, assets of 1 vulnerability counted again'],
])('a recount that repaired %j shows "%s"', async (change, text) => {
  const { report } = await start();
  await report({ version: 2, state: 'succeeded', result: { ...matching, ...change } });
  await vi.waitFor(() => expect(status()).toBe(text));
});

it('a recount that failed shows the error of its job, and can be requested again', async () => {
  const { report } = await start();
  await report({
    version: 2,
    state: 'failed',
    error: { code: 'internal', message: 'The database restarted.' },
  });
  expect((await screen.findByRole('alert')).textContent).toBe('Recount failed: The database restarted.');
  expect(screen.getByRole('button', { name: 'Recount now' }).getAttribute('aria-disabled')).not.toBe('true');
});

it('a request for a recount that is refused shows why', async () => {
  server.use(
    answer(accounts.me, () => ({ user: userOf({ role: 'owner' }) })),
    answer(overview.recompute, () => refusal('internal', 'The queue is full.')),
  );
  const { user } = renderPart(<Recount />);
  await user.click(await screen.findByRole('button', { name: 'Recount now' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Recount failed: The queue is full.');
});

it('a viewer sees why they may not request a recount', async () => {
  server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
  renderPart(<Recount />);
  const isDisabled = () =>
    screen.getByRole('button', { name: 'Recount now' }).getAttribute('aria-disabled') === 'true';
  await vi.waitFor(() => expect(isDisabled()).toBe(true));
});
