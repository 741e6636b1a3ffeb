import { cwe } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { visit } from '../../../testing/render-app.tsx';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';

useServer();

it('a catalogue that could not be loaded is an error with Retry', async () => {
  fakeApi();
  server.use(
    answer(cwe.list, () => ({ items: [], total: 0, page: 1, pageSize: 50, nextCursor: null })),
    answer(cwe.catalogue, () => refusal('invalid')),
  );
  visit('/dashboard/weaknesses');
  const bar = within(await screen.findByRole('region', { name: 'Catalogue' }));
  await bar.findByText('Failed to load the catalogue');
  expect(bar.getByRole('button', { name: 'Retry' })).toBeTruthy();
});
