import { act, render } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, expect, test } from 'vitest';
import { jobStore } from '../../lib/jobs/job-store.ts';
import { jobOf } from '../../testing/rows.ts';
import { TooltipProvider } from '../../ui/popup/tooltip.tsx';
import { JobNumbers } from './job-card.tsx';
import { JobDrawerButton } from './job-drawer-button.tsx';

afterEach(() => jobStore.clear());

test('800 progress events of 100 jobs render the button and the numbers of a job at most twice', async () => {
  const jobs = Array.from({ length: 100 }, () => jobOf({ state: 'running' }));
  const renders = { button: 0, numbers: 0 };
  const [shown] = jobs;
  if (shown === undefined) throw new Error('no job');
  render(
    <TooltipProvider>
      <Profiler id="button" onRender={() => void (renders.button += 1)}>
        <JobDrawerButton />
      </Profiler>
      <Profiler id="numbers" onRender={() => void (renders.numbers += 1)}>
        <JobNumbers job={shown} />
      </Profiler>
    </TooltipProvider>,
  );
  renders.button = 0;
  renders.numbers = 0;
  for (let version = 2; version <= 9; version += 1) {
    const progress = { phase: 'reading', done: version, total: 9 };
    for (const job of jobs) act(() => void jobStore.apply({ ...job, version, progress }));
  }
  await act(() => new Promise((resolve) => setTimeout(resolve, 150)));
  expect(Math.max(renders.button, renders.numbers)).toBeLessThanOrEqual(2);
});
