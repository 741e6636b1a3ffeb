import { cwe, type Cwe } from '@riskboard/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { HttpResponse } from 'msw';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { cweForms, cweIn } from './cwe-details.tsx';
import { createQueryClient } from '../../lib/api/query-client.ts';
import { answer, refusal, server, useServer } from '../../testing/server.ts';
import { weaknessOf } from '../../testing/weakness.ts';
import { CwePanel, followTrail } from './cwe-panel.tsx';

useServer();

/** Answers with these weaknesses, by any form of their id. Returns the requested ids. */
function catalogue(...all: Cwe[]): string[] {
  const requested: string[] = [];
  server.use(
    answer(cwe.get, ({ params }) => {
      const id = String(params['id']);
      requested.push(id);
      return all.find(({ ID }) => id === ID || id === `CWE-${ID}`);
    }),
  );
  return requested;
}

/** A page with two weaknesses and the panel. */
function Page({ start = null }: { start?: string | null }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <button onClick={() => setValue('CWE-79')}>CWE-79 of Log4Shell</button>
      <button onClick={() => setValue('CWE-89')}>CWE-89 of Log4Shell</button>
      <CwePanel value={value} onOpen={setValue} onClose={() => setValue(null)} />
    </>
  );
}

async function open(start: string | null = null) {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Page start={start} /> }),
    history: createMemoryHistory(),
  });
  render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'CWE-79 of Log4Shell' });
  return userEvent.setup();
}

const panel = (name: string) => screen.findByRole('dialog', { name });
/** Value of a labelled field. */
const field = (within_: HTMLElement, label: string) =>
  within(within_).getByText(label).nextElementSibling?.textContent;

describe('requested CWE ids', () => {
  test.each([
    ['CWE-79', ['CWE-79', '79']],
    ['79', ['79', 'CWE-79']],
    ['cwe 79', ['cwe 79', '79', 'CWE-79']],
    ['NVD-CWE-noinfo', ['NVD-CWE-noinfo']],
    [' ', []],
  ])('%j is requested as given, as digits only, and as CWE- with digits (spec 7)', (value, forms) => {
    expect(cweForms(value)).toEqual(forms);
  });

  test('the record is read from the top level, or from cwe, item or data', () => {
    const record = weaknessOf('79');
    for (const reply of [record, { cwe: record }, { item: record }, { data: record }]) {
      expect(cweIn(reply)).toEqual(record);
    }
    for (const reply of [null, 'x', {}, { data: [] }, { other: record }])
      expect(cweIn(reply)).toBeUndefined();
  });
});

test('the history of the panel leads back, and is cleared when the panel closes', () => {
  const third = followTrail(followTrail(followTrail([], '79'), '74'), '707');
  expect(third).toEqual(['79', '74', '707']);
  expect(followTrail(third, '707')).toBe(third);
  expect(followTrail(third, '79')).toEqual(['79']);
  const closed = followTrail(third, null);
  expect(closed).toEqual([]);
  expect(followTrail(closed, null)).toBe(closed);
  expect(followTrail(closed, '89')).toEqual(['89']);
});

test('the CWE panel shows every field of the weakness and a link to MITRE', async () => {
  catalogue(
    weaknessOf('79', {
      Likelihood: '',
      Consequences: [
        {
          Scope: ['Integrity', 'Other'],
          Impact: ['Read Application Data'],
          Likelihood: '',
          Note: 'And more.',
          TechnicalImpacts: ['Read data'],
        },
      ],
    }),
  );
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'CWE-79 of Log4Shell' }));
  const dialog = await panel('CWE-79');
  expect(await within(dialog).findByText('What 79 is.')).toBeDefined();
  expect(
    ['ID', 'Name', 'Abstraction', 'Structure', 'Status', 'Description', 'Likelihood'].map((label) =>
      field(dialog, label),
    ),
  ).toEqual(['79', 'Weakness 79', 'Base', 'Simple', 'Stable', 'What 79 is.', 'N/A']);
  const link = within(dialog).getByRole('link', { name: /CWE-79 at MITRE/u });
  expect(link.getAttribute('href')).toBe('https://cwe.mitre.org/data/definitions/79.html');
  expect(link.getAttribute('rel')).toBe('noopener noreferrer');
  const consequences = within(dialog).getByRole('region', { name: 'Common consequences' });
  expect(consequences.textContent).toContain('IntegrityOtherRead Application DataAnd more.');
  expect(within(dialog).queryByRole('region', { name: 'Related weaknesses' })).toBeNull();
  expect(dialog.textContent).toContain('CWE 4.15, © The MITRE Corporation');
});

test('Escape closes the CWE panel from any focus and returns the focus', async () => {
  catalogue(weaknessOf('79'));
  const user = await open();
  const opener = screen.getByRole('button', { name: 'CWE-79 of Log4Shell' });
  opener.focus();
  await user.keyboard('{Enter}');
  const dialog = await panel('CWE-79');
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(opener);
});

test('an open menu handles Escape before the CWE panel', async () => {
  catalogue(weaknessOf('79'));
  const user = await open('CWE-79');
  await panel('CWE-79');
  const menu = document.createElement('div');
  menu.setAttribute('role', 'menu');
  menu.tabIndex = 0;
  document.body.append(menu);
  menu.focus();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('dialog', { name: 'CWE-79' })).toBeDefined();
  menu.remove();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the page stays usable next to the CWE panel: another weakness replaces the first, and the focus returns to its opener', async () => {
  catalogue(weaknessOf('79'), weaknessOf('89'));
  const user = await open();
  await user.click(screen.getByRole('button', { name: 'CWE-79 of Log4Shell' }));
  await panel('CWE-79');
  const other = screen.getByRole('button', { name: 'CWE-89 of Log4Shell' });
  await user.click(other);
  const dialog = await panel('CWE-89');
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(other);
});

test('related weaknesses open in the CWE panel, with a Back button and the focus on their title', async () => {
  const related = [
    { ID: '80', Name: 'Below', Views: ['1000'], Nature: 'ParentOf' },
    { ID: '74', Name: 'Above', Views: ['1000'], Nature: 'ChildOf' },
    { ID: '494', Name: 'Odd', Views: ['1000'], Nature: 'SomethingNew' },
  ];
  const requested = catalogue(weaknessOf('79', { Weaknesses: related }), weaknessOf('74'));
  const user = await open('79');
  const dialog = await panel('CWE-79');
  const list = await within(dialog).findByRole('region', { name: 'Related weaknesses' });
  expect(
    within(list)
      .getAllByRole('term')
      .map((term) => term.textContent),
  ).toEqual(['Child of', 'Parent of', 'SomethingNew']);
  await user.click(within(list).getByRole('button', { name: 'CWE-74 Above' }));
  await panel('CWE-74');
  expect(await screen.findByText('What 74 is.')).toBeDefined();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'CWE-74' }));
  await user.click(screen.getByRole('button', { name: 'Back to CWE-79' }));
  await panel('CWE-79');
  expect(await screen.findByText('What 79 is.')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Back/u })).toBeNull();
  // Each answer is cached.
  expect(requested).toEqual(['79', 'CWE-74']);
});

test('a weakness that the API finds only by its digits is shown', async () => {
  const requested: string[] = [];
  server.use(
    answer(cwe.get, ({ params }) => {
      requested.push(String(params['id']));
      return params['id'] === '79' ? HttpResponse.json({ item: weaknessOf('79') }) : undefined;
    }),
  );
  await open('cwe: 79');
  expect(await screen.findByText('What 79 is.')).toBeDefined();
  expect(requested).toEqual(['cwe: 79', '79']);
});

test('the CWE panel shows that there are no details after requesting all three forms', async () => {
  const requested = catalogue();
  await open('Cwe 12345');
  expect(await screen.findByText('No details found for Cwe 12345')).toBeDefined();
  expect(requested).toEqual(['Cwe 12345', '12345', 'CWE-12345']);
});

test('the CWE panel shows a failure and retries', async () => {
  let broken = true;
  server.use(
    answer(cwe.get, () =>
      broken ? refusal('unavailable', 'The database is not reachable.') : weaknessOf('79'),
    ),
  );
  const user = await open('CWE-79');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Error: The database is not reachable.');
  expect(alert.textContent).toContain('request-1');
  broken = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('What 79 is.')).toBeDefined();
});
