import { accounts, projects, riskReport } from '@riskboard/contract';
import type { ReportSchedule } from '@riskboard/contract/schemas';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { visit } from '../../testing/render-app.tsx';
import { newId, projectOf, userOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';

useServer();

interface Schedules {
  schedules: ReportSchedule[];
  mail: boolean;
}

/** An API that keeps schedules. @returns them, and the bodies of the calls that set one */
function schedulesApi(start: Partial<Schedules> = {}): Schedules & { set: unknown[] } {
  fakeApi();
  const api = { schedules: [] as ReportSchedule[], mail: true, ...start, set: [] as unknown[] };
  server.use(
    answer(riskReport.schedules, () => ({ schedules: api.schedules, mail: api.mail })),
    answer(riskReport.schedule, async ({ request }) => {
      const body = (await request.json()) as Pick<ReportSchedule, 'projectId' | 'every'>;
      api.set.push(body);
      const nextAt = body.every === 'never' ? null : '2026-11-30T06:00:00.000Z';
      const schedule: ReportSchedule = { ...body, projectName: null, nextAt };
      api.schedules = body.every === 'never' ? [] : [schedule];
      return schedule;
    }),
  );
  return api;
}

const often = async () =>
  within(await screen.findByRole('radiogroup', { name: 'How often you get the report' }));

describe('the report of the organization', () => {
  test('opens as a document and offers each table as CSV', async () => {
    schedulesApi();
    visit('/dashboard/report');
    const open = await screen.findByRole('link', { name: 'Open printable report' });
    expect(open.getAttribute('href')).toBe('/api/overview/report');
    const csv = screen.getAllByRole('link', { name: /^Download .+ as CSV$/u });
    expect(
      csv.map((link) => new URL(link.getAttribute('href') ?? '', 'http://x').searchParams.get('table')),
    ).toEqual([
      'numbers',
      'funnel',
      'categories',
      'exposure',
      'causes',
      'actions',
      'vulnerabilities',
      'assets',
      'threats',
      'sources',
    ]);
  });

  test('is mailed every week, and no longer, as chosen', async () => {
    const api = schedulesApi();
    const { user } = visit('/dashboard/report');
    await user.click((await often()).getByRole('radio', { name: 'Every week' }));
    await screen.findByText('You get the report every week');
    const due = await screen.findByText(/^The next email is due on/u);
    expect(due.textContent).toMatch(
      /^The next email is due on Nov 30, 2026, .+: every Monday at 06:00 UTC\.$/u,
    );
    await user.click((await often()).getByRole('radio', { name: 'Never' }));
    await screen.findByText('The report is no longer emailed');
    expect(api.set).toEqual([
      { projectId: null, every: 'week' },
      { projectId: null, every: 'never' },
    ]);
    expect(screen.queryByText(/^The next email is due/u)).toBeNull();
  });

  test('shows no interval as chosen until the schedules are loaded', async () => {
    schedulesApi();
    const schedules = Promise.withResolvers<Schedules>();
    server.use(answer(riskReport.schedules, () => schedules.promise));
    visit('/dashboard/report');
    await screen.findByText(/^An email with the address of this report/u);
    expect(screen.queryByRole('radiogroup', { name: 'How often you get the report' })).toBeNull();
    schedules.resolve({
      schedules: [{ projectId: null, projectName: null, every: 'week', nextAt: '2026-11-30T06:00:00.000Z' }],
      mail: true,
    });
    const week = (await often()).getByRole('radio', { name: 'Every week' });
    expect(week.getAttribute('aria-checked')).toBe('true');
  });

  test('says when the operator has not set up a mail server', async () => {
    schedulesApi({ mail: false });
    visit('/dashboard/report');
    expect(await screen.findByText('The operator has not set up a mail server.')).toBeTruthy();
  });

  test('keeps the old schedule and shows the reason when it cannot be changed', async () => {
    schedulesApi();
    server.use(answer(riskReport.schedule, () => refusal('unavailable')));
    const { user } = visit('/dashboard/report');
    await user.click((await often()).getByRole('radio', { name: 'Every month' }));
    await screen.findByText('Failed to change the schedule');
    expect((await often()).getByRole('radio', { name: 'Never' }).getAttribute('aria-checked')).toBe('true');
  });

  test('shows a failed schedule by itself, with Retry', async () => {
    schedulesApi();
    server.use(answer(riskReport.schedules, () => refusal('internal')));
    visit('/dashboard/report');
    const card = within(await screen.findByRole('region', { name: 'By email' }));
    await card.findByText('Failed to load the schedule');
    expect(card.getByRole('button', { name: 'Retry' })).toBeTruthy();
    screen.getByRole('link', { name: 'Open printable report' });
  });

  test('is scheduled by a viewer too, who may read it', async () => {
    schedulesApi();
    server.use(answer(accounts.me, () => ({ user: userOf({ role: 'viewer' }) })));
    const { user } = visit('/dashboard/report');
    await user.click((await often()).getByRole('radio', { name: 'Every month' }));
    expect(await screen.findByText('You get the report every month')).toBeTruthy();
  });
});

describe('the report of a project', () => {
  test('names the project, and has only the tables of a project', async () => {
    schedulesApi();
    const id = newId();
    server.use(answer(projects.get, () => projectOf({ _id: id, name: 'Container terminal' })));
    visit(`/dashboard/report?projectId=${id}`);
    const open = await screen.findByRole('link', { name: 'Open printable report' });
    expect(open.getAttribute('href')).toBe(`/api/overview/report?projectId=${id}`);
    await screen.findByDisplayValue('Container terminal');
    const csv = screen.getAllByRole('link', { name: /^Download .+ as CSV$/u });
    expect(csv).toHaveLength(5);
    for (const link of csv) expect(link.getAttribute('href')).toContain(`projectId=${id}`);
  });

  test('says when the project cannot be loaded', async () => {
    schedulesApi();
    server.use(answer(projects.get, () => refusal('not_found')));
    visit(`/dashboard/report?projectId=${newId()}`);
    expect(await screen.findByText('Failed to load the project')).toBeTruthy();
  });
});
