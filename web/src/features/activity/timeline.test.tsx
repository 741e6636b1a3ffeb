import { activity, reports, type ActivityEntry } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { entryOf, importReportOf, newId } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { visit } from '../../testing/render-app.tsx';

useServer();

const fileId = newId();

/** Answers the requests of a file's page, which contains the timeline. */
function answerFile(entries: readonly ActivityEntry[]) {
  const requested: URL[] = [];
  fakeApi();
  server.use(
    answer(reports.importReport, () => importReportOf({ fileId })),
    answer(reports.importObjects, () => ({ items: [], total: 0, page: 1, pageSize: 10, nextCursor: null })),
    answer(activity.list, ({ url }) => {
      requested.push(url);
      const { rows, ...page } = pageOf(entries, url);
      return { activity: rows, searchedSince: null, ...page };
    }),
  );
  return requested;
}

const open = () => visit(`/dashboard/reports/${fileId}`);
const timeline = () => screen.findByRole('region', { name: 'Activity' });

it('lists the activity of one object, newest first', async () => {
  const requested = answerFile([
    entryOf({ action: 'report.downloaded', actor: 'Ben <ben@example.org>', nounId: fileId }),
    entryOf({ nounId: fileId }),
  ]);
  open();
  const items = await within(await timeline()).findAllByRole('listitem');
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringContaining('Ben downloaded apt1.xml'),
    expect.stringContaining('Ada Lovelace uploaded apt1.xml'),
  ]);
  expect(requested[0]?.searchParams.get('nounId')).toBe(fileId);
  expect(within(await timeline()).queryByRole('link', { name: 'All activity' })).toBeNull();
});

it('links to the rest of a long history', async () => {
  answerFile(Array.from({ length: 11 }, () => entryOf({ nounId: fileId })));
  open();
  const link = await within(await timeline()).findByRole('link', { name: 'All activity' });
  expect(link.getAttribute('href')).toBe(`/dashboard/activity?nounId=${fileId}`);
  expect(within(await timeline()).getAllByRole('listitem')).toHaveLength(10);
});

it('shows that there is no activity yet', async () => {
  answerFile([]);
  open();
  expect(await within(await timeline()).findByText('No activity yet.')).toBeTruthy();
});

it('shows that loading failed', async () => {
  answerFile([]);
  server.use(answer(activity.list, () => refusal('unavailable')));
  open();
  expect(await within(await timeline()).findByText('Failed to load activity.')).toBeTruthy();
});
