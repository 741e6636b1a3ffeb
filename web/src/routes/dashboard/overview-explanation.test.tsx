import { overview, type Reply } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { visit } from '../../testing/render-app.tsx';
import { answer, refusal, server, useServer } from '../../testing/server.ts';

useServer();

const explanation: Reply<(typeof overview)['explain']> = {
  metric: 'totalThreats',
  label: 'Total Threats',
  value: 5,
  formula: 'Number of all threats',
  inputs: [{ name: 'Threats', value: 5, query: '/dashboard/threats' }],
  bands: [],
  asOf: '2026-11-22T10:00:00.000Z',
};

// Each other part of the page shows its own failure.
beforeEach(() => {
  fakeApi();
  server.use(
    // The first one that matches answers.
    answer(overview.explain, ({ params }) =>
      params['metric'] === 'totalThreats' ? explanation : refusal('internal', 'Down.'),
    ),
    ...Object.values(overview)
      .filter(({ method }) => method === 'GET')
      .map((endpoint) => answer(endpoint, () => refusal('internal', 'Down.'))),
  );
});

it('the URL opens the explanation of a number; Escape closes it and removes it from the URL', async () => {
  const { router, user } = visit('/dashboard/overview?explain=totalThreats&range=1y');
  const dialog = await screen.findByRole('dialog', { name: 'Total Threats' });
  expect((await within(dialog).findByRole('link', { name: 'Threats' })).getAttribute('href')).toBe(
    '/dashboard/threats?view=none',
  );
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(router.state.location.search).toEqual({ range: '1y' });
});

it('a URL with the name of an unknown number opens no dialog', async () => {
  visit('/dashboard/overview?explain=luck');
  await screen.findByRole('heading', { name: 'History' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('the link of an input leaves the overview for the list, and the dialog with it', async () => {
  const { router, user } = visit('/dashboard/overview?explain=totalThreats');
  await user.click(await screen.findByRole('link', { name: 'Threats' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/threats'));
  await waitFor(() => expect(screen.queryAllByRole('dialog')).toHaveLength(0));
});
