import { setTimeout as sleep } from 'node:timers/promises';
import { eventTopic } from '@riskboard/contract';
import { openRelay } from '@riskboard/queue';
import { progressEvent } from '../events-messages.ts';
import { observe, readObserved } from './observe.ts';
import { type Figure, openPage, type Setup, settle } from './setup.ts';

/** Unfinished jobs of the organization, of which the first run. */
const all = 3000;
const running = 8;
/** Milliseconds in which progress arrives while the drawer is open, and between two events of each running job. */
const watched = 5000;
const interval = 250;
/** Milliseconds of a task, and from an input to the next frame. */
const bars = { task: 50, inp: 200 };

/** Below the ids of the product, so that these jobs come after its own in time. */
const idOf = (index: number) => `0199f00a-0000-7000-8000-${String(index).padStart(12, '0')}`;

/** Writes the jobs without a queue message: no worker starts them, and the sweep waits for their time. */
async function writeJobs({ product }: Setup): Promise<string> {
  const { rows } = await product.admin.query<{ id: string }>(
    `insert into job (organization_id, id, kind, payload, state, created_at, started_at, heartbeat_at, run_at, rung_at)
     select o.organization_id, ('0199f00a-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'stix.parse', '{}',
       case when n < $2 then 'running' else 'queued' end, now() - interval '1 minute',
       case when n < $2 then now() end, case when n < $2 then now() + interval '1 hour' end,
       now() + interval '1 hour', now() + interval '1 hour'
     from (select organization_id from organization limit 1) o, generate_series(0, $1 - 1) n
     returning organization_id as id`,
    [all, running],
  );
  return rows[0]?.id ?? '';
}

interface Opened {
  /** Longest task, and the longest time from an input to the next frame. */
  task: number;
  inp: number;
}

/** Opens the drawer of a page that knows the jobs, scrolls it and closes it, while progress arrives. */
async function openOnce(setup: Setup): Promise<Opened> {
  const { context, page } = await openPage(setup);
  try {
    await observe(page);
    await page.goto(`${setup.product.origin}/dashboard/reports`);
    await settle(page);
    await readObserved(page);
    await page
      .getByRole('button', { name: /^Background jobs/u })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await page.mouse.move(1100, 500);
    for (let waited = 0; waited < watched; waited += interval) {
      await page.mouse.wheel(0, 200);
      await page.waitForTimeout(interval);
    }
    await page.keyboard.press('Escape');
    await page.waitForTimeout(interval);
    const { inp, longTasks } = await readObserved(page);
    return { inp, task: Math.max(0, ...longTasks.map(({ took }) => took)) };
  } finally {
    await context.close();
  }
}

/** The drawer with 3,000 unfinished jobs, while progress of those that run arrives. */
export async function measureDrawer(setup: Setup): Promise<Figure[]> {
  const organization = await writeJobs(setup);
  const relay = openRelay({ databaseUrl: setup.product.databaseUrl, lockMs: 30_000, stallMs: 5000 });
  const opened: Opened[] = [];
  const ended = new AbortController();
  async function publish(): Promise<void> {
    for (let version = 2; !ended.signal.aborted; version += 1) {
      for (let job = 0; job < running; job += 1)
        await relay.publish(eventTopic(organization), progressEvent(idOf(job), version));
      await sleep(interval);
    }
  }
  const published = publish();
  try {
    for (let run = 0; run < setup.runs; run += 1) opened.push(await openOnce(setup));
  } finally {
    ended.abort();
    await published;
    await relay.close();
    await setup.product.admin.query(`delete from job where id between $1 and $2`, [idOf(0), idOf(all)]);
  }
  return [
    {
      name: 'drawer of 3,000 jobs: longest task (0: none over 50)',
      figures: opened.map(({ task }) => task),
      bar: bars.task,
    },
    {
      name: 'drawer of 3,000 jobs: input to frame',
      figures: opened.map(({ inp }) => inp),
      bar: bars.inp,
    },
  ];
}
