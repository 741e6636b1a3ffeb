import {
  accounts,
  cwss,
  vignettes,
  vulnerabilities,
  type Job,
  type VignetteSummary,
  type Vulnerability,
} from '@riskboard/contract';
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { calculationRequest } from '../../../lib/cwss/calculation-request.ts';
import { jobDrawer } from '../../../lib/jobs/job-drawer-state.ts';
import { explanationOf } from '../../../testing/cwss.ts';
import { fakeApi, pageOf, type FakeApi } from '../../../testing/fake-api.ts';
import { renderPart, visit } from '../../../testing/render-app.tsx';
import { jobOf, newId, userOf, vulnerabilityOf } from '../../../testing/rows.ts';
import { accepted, answer, refusal, server, useServer } from '../../../testing/server.ts';
import { Toaster } from '../../../ui/feedback/toaster.tsx';
import { CalculateHost } from './calculate-dialog.tsx';

useServer();
let api: FakeApi;
beforeEach(() => {
  api = fakeApi();
});
afterEach(() => {
  calculationRequest.set(null);
  jobDrawer.set(false);
});

const vignetteOf = (name: string, change: Partial<VignetteSummary> = {}): VignetteSummary => {
  const _id = newId();
  const time = '2026-11-20T10:00:00.000Z';
  return {
    _id,
    id: _id,
    name,
    scorecardName: name,
    origin: 'Riskboard',
    originalFilename: '',
    version: 1,
    ratedCells: 14,
    vulnerabilities: 0,
    createdAt: time,
    updatedAt: time,
    ...change,
  };
};

const rowOf = (name: string) => screen.findByRole('row', { name: new RegExp(name, 'u') });
const confirm = () => screen.getByRole('button', { name: 'Confirm' });
const isDisabled = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true';

interface Given {
  rows?: Vulnerability[];
  items?: VignetteSummary[];
  address?: string;
}

/** Answers with some vulnerabilities and vignettes; `sent` collects the calculations. */
function answerLists({
  rows = [vulnerabilityOf({ name: 'Log4Shell' }), vulnerabilityOf({ name: 'Heartbleed' })],
  items = [vignetteOf('Retail web shop'), vignetteOf('Medical device', { scorecardName: 'Ward' })],
}: Given) {
  const state = { rows, items, sent: [] as unknown[], searches: [] as string[] };
  server.use(
    answer(vulnerabilities.list, ({ url }) => {
      const { rows: found, ...page } = pageOf(state.rows, url);
      return { vulnerabilities: found, ...page, nextCursor: null };
    }),
    answer(vulnerabilities.facets, () => ({ facets: {} })),
    answer(vignettes.list, ({ url }) => {
      const search = url.searchParams.get('search') ?? '';
      state.searches.push(search);
      const found = state.items.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()));
      const { rows: shown, ...page } = pageOf(found, url);
      return { items: shown, ...page, nextCursor: null };
    }),
  );
  return state;
}

/** The data list of vulnerabilities in the whole app. */
function open({ address = '/dashboard/reports/vulnerabilities', ...given }: Given = {}) {
  const state = answerLists(given);
  return { state, ...visit(address) };
}

/** The dialog for the first vulnerability, without the app around it. */
async function openAlone(given: Given = {}) {
  const state = answerLists(given);
  const { user } = renderPart(
    <>
      <CalculateHost />
      <Toaster />
    </>,
  );
  const [first = vulnerabilityOf()] = state.rows;
  act(() => calculationRequest.set({ record: first }));
  return { state, user, dialog: within(await screen.findByRole('dialog', { name: 'Calculate CWSS' })) };
}

type Opened = ReturnType<typeof open>;

async function openDialog({ user }: Opened, name = 'Log4Shell') {
  await rowOf(name);
  await user.click(screen.getByRole('button', { name: `Actions for ${name}` }));
  await user.click(await screen.findByRole('menuitem', { name: 'Calculate CWSS' }));
  return within(await screen.findByRole('dialog', { name: 'Calculate CWSS' }));
}

/** Answers a calculation of one vulnerability with a score. */
function scores(state: Opened['state'], cwssScore: number): void {
  server.use(
    answer(cwss.calculate, async ({ request }) => {
      const body = (await request.json()) as { id: string; vignetteId: string };
      state.sent.push(body);
      const row = state.rows.find(({ _id }) => _id === body.id) ?? vulnerabilityOf();
      const appliedVignette = state.items.find(({ _id }) => _id === body.vignetteId)?.name ?? '';
      const scored = { ...row, cwssScore, appliedVignette, cwssState: 'current' as const };
      state.rows = state.rows.map((one) => (one._id === row._id ? scored : one));
      return { vulnerability: scored, cwssScore, message: 'Calculation applied' };
    }),
  );
}

const calculation = (change: Partial<Job> = {}) =>
  jobOf({ kind: 'cwss.calculate', fileId: null, fileName: null, ...change });

const end = (job: Job, change: Partial<Job>): void =>
  api.publish({
    type: 'job.updated',
    job: { ...job, state: 'succeeded', version: job.version + 1, finishedAt: job.createdAt, ...change },
  });

describe('dialog Calculate CWSS', () => {
  it('lists the vignettes with what is known about them, marks the applied one, and waits for a choice', async () => {
    // The applied vignette was renamed since, and another one has its former name.
    const rows = [vulnerabilityOf({ name: 'Log4Shell', cwssScore: 40, appliedVignette: 'Retail web shop' })];
    const items = [vignetteOf('Retail web shop'), vignetteOf('Medical device', { scorecardName: 'Ward' })];
    server.use(answer(cwss.explanation, () => ({ ...explanationOf(), vignetteId: items[1]?._id ?? '' })));
    const { user, dialog } = await openAlone({ rows, items });
    await dialog.findByText('Applied now');
    const shop = await dialog.findByRole('radio', { name: 'Retail web shop' });
    const device = dialog.getByRole('radio', { name: 'Medical device' });
    expect(shop.getAttribute('aria-checked')).toBe('false');
    expect(device.getAttribute('aria-checked')).toBe('false');
    const about = (radio: HTMLElement) =>
      (radio.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.querySelector(`[id="${id}"]`)?.textContent)
        .join(' ');
    expect(about(shop)).toBe('by Riskboard · version 1 · 14 of 32 cells rated');
    expect(about(device)).toBe('Applied now Ward · by Riskboard · version 1 · 14 of 32 cells rated');
    expect(isDisabled(confirm())).toBe(true);
    dialog.getByText('Choose a vignette first.');
    await user.click(device);
    expect(isDisabled(confirm())).toBe(false);
  });

  it('applies a calculation: the toast shows the value and the row its score and vignette', async () => {
    const opened = open();
    const { state, user } = opened;
    scores(state, 71.3);
    const dialog = await openDialog(opened);
    await user.click(await dialog.findByRole('radio', { name: 'Retail web shop' }));
    await user.click(confirm());
    await screen.findByText('Calculation applied');
    screen.getByText('The CWSS of “Log4Shell” is 71.3 of 100.');
    expect(screen.queryByRole('dialog', { name: 'Calculate CWSS' })).toBeNull();
    expect(state.sent).toEqual([{ id: state.rows[0]?._id, vignetteId: state.items[0]?._id }]);
    const row = within(await rowOf('Log4Shell'));
    await row.findByText('71.3');
    row.getByText('Retail web shop');
  });

  it('is used with the keyboard alone: arrow keys choose, Enter confirms', async () => {
    const { state, user, dialog } = await openAlone();
    scores(state, 12);
    const shop = await dialog.findByRole('radio', { name: 'Retail web shop' });
    await waitFor(() => expect(document.activeElement).toBe(shop));
    expect(shop.getAttribute('aria-checked')).toBe('false');
    await user.keyboard('{Enter}');
    expect(state.sent).toEqual([]);
    await user.keyboard('{ArrowDown}');
    const device = dialog.getByRole('radio', { name: 'Medical device' });
    await waitFor(() => expect(device.getAttribute('aria-checked')).toBe('true'));
    await user.keyboard('{Enter}');
    await screen.findByText('Calculation applied');
    expect(state.sent).toEqual([{ id: state.rows[0]?._id, vignetteId: state.items[1]?._id }]);
  });

  it('shows the message of a failed calculation and keeps the choice for another try', async () => {
    const { state, user, dialog } = await openAlone();
    server.use(answer(cwss.calculate, () => refusal('not_found', 'The vignette was deleted.')));
    await user.click(await dialog.findByRole('radio', { name: 'Retail web shop' }));
    await user.click(confirm());
    await screen.findByText('Calculation failed');
    screen.getByText('The vignette was deleted.');
    expect(dialog.getByRole('radio', { name: 'Retail web shop' }).getAttribute('aria-checked')).toBe('true');
    await waitFor(() => expect(isDisabled(confirm())).toBe(false));
    scores(state, 12);
    await user.click(confirm());
    await screen.findByText('Calculation applied');
    // A failure is shown for ten seconds.
    await waitFor(() => expect(screen.queryByText('Calculation failed')).toBeNull(), { timeout: 5000 });
  });

  it('says that the vulnerability no longer exists and offers only to close', async () => {
    const { state, user, dialog } = await openAlone();
    const message = 'This vulnerability no longer exists.';
    server.use(answer(cwss.calculate, () => refusal('not_found', message, [{ path: 'id', message }])));
    await user.click(await dialog.findByRole('radio', { name: 'Retail web shop' }));
    await user.click(confirm());
    await dialog.findByText(`The vulnerability “${state.rows[0]?.name}” no longer exists.`);
    const element = screen.getByRole('dialog', { name: 'Calculate CWSS' });
    await waitFor(() => expect(element.contains(document.activeElement)).toBe(true));
    expect(dialog.queryByRole('button', { name: 'Confirm' })).toBeNull();
    expect(dialog.queryByRole('radio')).toBeNull();
    await user.click(within(element).getAllByRole('button', { name: 'Close' }).at(-1) ?? element);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('says Recalculation started when no score comes back, and the value in the same toast when the job ends', async () => {
    const opened = open();
    const { user } = opened;
    const job = calculation();
    api.jobs = [job];
    server.use(answer(cwss.calculate, () => accepted(job._id)));
    const dialog = await openDialog(opened);
    await user.click(await dialog.findByRole('radio', { name: 'Retail web shop' }));
    await user.click(confirm());
    await screen.findByText('Recalculation started');
    screen.getByText('“Log4Shell” will be scored in the background.');
    end(job, { result: { matched: 1, changed: 1, unchanged: 0, skipped: [], cwssScore: 63.2 } });
    await screen.findByText('Calculation applied');
    screen.getByText('The CWSS of “Log4Shell” is 63.2 of 100.');
    expect(screen.queryByText('Recalculation started')).toBeNull();
  });

  it('says what failed when the job of a calculation fails', async () => {
    const opened = open();
    const { user } = opened;
    const job = calculation();
    api.jobs = [job];
    server.use(answer(cwss.calculate, () => accepted(job._id)));
    const dialog = await openDialog(opened);
    await user.click(await dialog.findByRole('radio', { name: 'Retail web shop' }));
    await user.click(confirm());
    await screen.findByText('Recalculation started');
    end(job, { state: 'failed', error: { code: 'internal', message: 'The catalogue could not be read.' } });
    await screen.findByText('Calculation failed');
    screen.getByText('The catalogue could not be read.');
    expect(screen.queryByText('Recalculation started')).toBeNull();
  });

  it('shows the message and Retry when the vignettes fail to load', async () => {
    const opened = open();
    let fails = true;
    const { items } = opened.state;
    server.use(
      answer(vignettes.list, ({ url }) => {
        if (fails) return refusal('unavailable', 'The database rests.');
        const { rows, ...page } = pageOf(items, url);
        return { items: rows, ...page, nextCursor: null };
      }),
    );
    const dialog = await openDialog(opened);
    await dialog.findByText('Error: The database rests.');
    expect(isDisabled(confirm())).toBe(true);
    fails = false;
    await opened.user.click(dialog.getByRole('button', { name: 'Retry' }));
    await dialog.findByRole('radio', { name: 'Retail web shop' });
    expect(dialog.queryByText('Error: The database rests.')).toBeNull();
  });

  it('without vignettes offers the starter vignettes and lists them once they are added', async () => {
    const { state, user, dialog } = await openAlone({ items: [] });
    server.use(
      answer(vignettes.addStarters, () => {
        state.items = [vignetteOf('Online banking')];
        return { created: 1, items: state.items };
      }),
    );
    await dialog.findByText('No vignettes available.');
    const link = dialog.getByRole('link', { name: 'Upload or write a vignette' });
    expect(link.getAttribute('href')).toBe('/dashboard/reports/vignettes');
    expect(isDisabled(confirm())).toBe(true);
    await user.click(dialog.getByRole('button', { name: 'Add starter vignettes' }));
    await dialog.findByRole('radio', { name: 'Online banking' });
  });

  it('has a search when there are many vignettes; a vignette that is not found cannot be confirmed', async () => {
    const items = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'Harbour'].map((name) => vignetteOf(name));
    const { user, dialog } = await openAlone({ items });
    await user.click(await dialog.findByRole('radio', { name: 'A' }));
    expect(isDisabled(confirm())).toBe(false);
    await user.type(dialog.getByRole('textbox', { name: 'Search vignettes' }), 'harb');
    await waitFor(() => expect(dialog.getAllByRole('radio')).toHaveLength(1));
    dialog.getByRole('radio', { name: 'Harbour' });
    expect(isDisabled(confirm())).toBe(true);
    await user.type(dialog.getByRole('textbox', { name: 'Search vignettes' }), 'zz');
    await dialog.findByText('No vignette matches “harbzz”.');
  });

  it('has no search when there are few vignettes', async () => {
    const { dialog } = await openAlone();
    await dialog.findByRole('radio', { name: 'Retail web shop' });
    expect(dialog.queryByRole('textbox')).toBeNull();
  });

  it('scores the selected rows as one job, whose end shows the counts and why rows were skipped', async () => {
    const opened = open();
    const { state, user } = opened;
    const job = calculation();
    api.jobs = [job];
    server.use(
      answer(cwss.calculateMany, async ({ request }) => {
        state.sent.push(await request.json());
        return accepted(job._id);
      }),
    );
    await rowOf('Log4Shell');
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
    await user.click(await screen.findByRole('button', { name: 'Calculate CWSS (2)' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Calculate CWSS' }));
    dialog.getByText('Choose the vignette that scores “Log4Shell”, “Heartbleed”.');
    await user.click(await dialog.findByRole('radio', { name: 'Retail web shop' }));
    await user.click(confirm());
    await screen.findByText('Recalculation started');
    screen.getByText('2 vulnerabilities will be scored in the background.');
    expect(state.sent).toEqual([{ ids: state.rows.map(({ _id }) => _id), vignetteId: state.items[0]?._id }]);
    expect(screen.queryByRole('region', { name: 'Selected rows' })).toBeNull();
    const row = await rowOf('Log4Shell');
    await waitFor(() => expect(document.activeElement).toBe(row));
    await user.click(screen.getByRole('button', { name: 'Show progress' }));
    await screen.findByRole('dialog', { name: 'Background jobs' });
    jobDrawer.set(false);
    const skipped = [{ reason: 'deleted meanwhile', count: 1 }];
    end(job, { result: { matched: 2, changed: 1, unchanged: 0, skipped } });
    await screen.findByText('Calculation applied');
    screen.getByText('Scored 1 of 2 vulnerabilities, 1 skipped: deleted meanwhile.');
  });

  it('recalculates all stale scores of the list, each with its own vignette, without a dialog', async () => {
    const rows = [vulnerabilityOf({ cwssScore: 40, cwssState: 'stale', cwssStale: ['cwe'] })];
    const opened = open({ rows, address: '/dashboard/vulnerabilities?cwssState=stale' });
    const { state, user } = opened;
    const job = calculation();
    api.jobs = [job];
    server.use(
      answer(vulnerabilities.metrics, () => refusal('unavailable')),
      answer(cwss.calculateMany, async ({ request }) => {
        state.sent.push(await request.json());
        return accepted(job._id);
      }),
    );
    await user.click(await screen.findByRole('button', { name: 'Recalculate 1 stale score' }));
    await screen.findByText('Recalculation started');
    expect(state.sent).toEqual([{ filter: { cwssState: ['stale'] } }]);
    expect(screen.queryByRole('dialog', { name: 'Calculate CWSS' })).toBeNull();
  });

  it('cannot be opened by viewers, with the reason', async () => {
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    const { user } = open();
    await rowOf('Log4Shell');
    await user.click(screen.getByRole('button', { name: 'Actions for Log4Shell' }));
    const item = await screen.findByRole('menuitem', { name: /^Calculate CWSS/u });
    expect(item.getAttribute('aria-disabled')).toBe('true');
    within(item).getByText('Requires the analyst role. You are a viewer.');
  });
});
