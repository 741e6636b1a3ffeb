import { reports, threats, vulnerabilities } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeApi, pageOf } from '../../testing/fake-api.ts';
import { importReportOf, newId, threatOf, vulnerabilityOf } from '../../testing/rows.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { visit } from '../../testing/visit.ts';

useServer();

const lists = [
  {
    address: '/dashboard/vulnerabilities',
    endpoint: vulnerabilities.list,
    key: 'vulnerabilities',
    row: vulnerabilityOf({ name: 'Log4Shell' }),
    empty: 'No vulnerabilities found.',
    failure: 'Failed to load vulnerabilities.',
    shown: /Log4Shell.*10\.0 Critical.*Open.*CVE-2021-44228.*CWE-502/u,
  },
  {
    address: '/dashboard/reports/vulnerabilities',
    endpoint: vulnerabilities.fromReports,
    key: 'items',
    row: vulnerabilityOf({ name: 'Unscored', cveId: '', cwe: [], cvssScore: null }),
    empty: 'No vulnerabilities found',
    failure: 'Failed to load vulnerabilities.',
    shown: /Unscored N\/A N\/A N\/A report\.json/u,
  },
  {
    address: '/dashboard/threats',
    endpoint: threats.list,
    key: 'threats',
    row: threatOf({ name: 'Emotet', riskLevel: 61 }),
    empty: 'No threats found.',
    failure: 'Failed to load threats.',
    shown: /Emotet S0367 Malware malware 61 High report\.json/u,
  },
  {
    address: '/dashboard/reports/threats',
    endpoint: threats.list,
    key: 'threats',
    row: threatOf({ name: 'Emotet', threatID: '' }),
    empty: 'No threat data found.',
    failure: 'Failed to load threat data.',
    shown: /Emotet N\/A malware report\.json/u,
  },
] as const;

describe.each(lists)('$address', ({ address, endpoint, key, row, empty, failure, shown }) => {
  /** Answers the list with these rows, and remembers what was asked. */
  function answerList(rows: readonly object[]) {
    const asked: URL[] = [];
    server.use(
      answer(endpoint, ({ url }) => {
        asked.push(url);
        const { rows: found, ...page } = pageOf(rows, url);
        return { [key]: found, ...page } as never;
      }),
    );
    return asked;
  }

  it('shows what was extracted, N/A where nothing is known', async () => {
    fakeApi();
    answerList([row]);
    visit(address);
    expect((await screen.findByRole('row', { name: shown })).textContent).toContain(row.name);
  });

  it('says that there is nothing', async () => {
    fakeApi();
    answerList([]);
    visit(address);
    expect((await screen.findByText(empty)).textContent).toBe(empty);
  });

  it('says that it could not be loaded', async () => {
    fakeApi();
    server.use(answer(endpoint, () => refusal('unavailable')));
    visit(address);
    expect(within(await screen.findByRole('alert')).getByText(failure)).toBeTruthy();
  });

  it('narrows to one file, and lets go of it by the chip', async () => {
    fakeApi();
    const fileId = newId();
    const asked = answerList([row]);
    server.use(
      answer(reports.importReport, () => importReportOf({ fileId, originalFilename: 'apt29.json' })),
    );
    const { user, router } = visit(`${address}?fileId=${fileId}&page=2`);
    await user.click(await screen.findByRole('button', { name: 'Remove filter File: apt29.json' }));
    expect(asked[0]?.searchParams.get('fileId')).toBe(fileId);
    await waitFor(() => expect(router.state.location.search).toEqual({}));
    await waitFor(() => expect(asked.at(-1)?.searchParams.has('fileId')).toBe(false));
  });
});
