import { projects } from '@riskboard/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../testing/render-app.tsx';
import { answer, server, useServer } from '../../../testing/server.ts';
import { ProjectRiskHistory } from './project-risk-history.tsx';

useServer();

const id = '0199f000-0000-7000-8000-000000000001';

it('shows the recorded scores newest first with gaps as such, and reads the chosen range', async () => {
  const requested: (string | null)[] = [];
  server.use(
    answer(projects.riskHistory, ({ url }) => {
      requested.push(url.searchParams.get('from'));
      return {
        step: 1,
        firstRecordedDay: '2026-11-20',
        points: [
          { date: '2026-11-20', mean: 3.5, highest: 6, assets: 2, assetsAtRisk: 0 },
          { date: '2026-11-21', mean: null, highest: null, assets: 2, assetsAtRisk: 0 },
          { date: '2026-11-22', mean: 5.3, highest: 7.2, assets: 3, assetsAtRisk: 1 },
        ],
      };
    }),
  );
  const { user } = renderPart(<ProjectRiskHistory id={id} />);
  const rows = within(await screen.findByRole('table', { name: 'Project risk history' })).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Day', 'Mean risk score', 'Highest risk score', 'Assets at risk', 'Assets'],
    ['Nov 22, 2026', '5.3', '7.2', '1', '3'],
    ['Nov 21, 2026', 'Not recorded', 'Not recorded', '', ''],
    ['Nov 20, 2026', '3.5', '6.0', '0', '2'],
  ]);
  await user.click(screen.getByText('All'));
  await waitFor(() => expect(requested).toEqual([expect.stringMatching(/^\d{4}-/u), null]));
});

it('says what is missing when fewer than two days are recorded', async () => {
  server.use(answer(projects.riskHistory, () => ({ step: 1, points: [], firstRecordedDay: null })));
  renderPart(<ProjectRiskHistory id={id} />);
  expect(await screen.findByText('No history yet.')).toBeDefined();
});
