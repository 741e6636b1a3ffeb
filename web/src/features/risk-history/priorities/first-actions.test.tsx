import { overview } from '@riskboard/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../testing/render-app.tsx';
import { answer, refusal, server, useServer } from '../../../testing/server.ts';
import type { Priorities } from '../queries.ts';
import { FirstActions } from './first-actions.tsx';

useServer();

const item = (change: Partial<Priorities['items'][number]> = {}) => ({
  code: 'vulnerability-1',
  title: 'Fix Log4Shell',
  description: 'Open and new; it puts 2 assets at risk.',
  scoreAfter: 44,
  delta: -8,
  weighted: 8,
  link: '/dashboard/vulnerabilities/0199f000-0000-7000-8000-000000000001',
  ...change,
});

/** A reply whose actions are single findings. */
const single = (score: number, items: Priorities['items']): Priorities => ({ score, items, findings: items });

function show(reply: Priorities) {
  server.use(answer(overview.priorities, () => reply));
  return renderPart(<FirstActions />);
}

it('each action shows what it is, why, the score after it with the points, and opens its record', async () => {
  show(single(52, [item(), item({ code: 'other', title: 'Fix Heartbleed', weighted: -4.5 })]));
  const actions = within(await screen.findByRole('list', { name: 'Actions' })).getAllByRole('listitem');
  expect(actions).toHaveLength(2);
  const [first, second] = actions as [HTMLElement, HTMLElement];
  expect(within(first).getByRole('link', { name: 'Fix Log4Shell' }).getAttribute('href')).toBe(item().link);
  expect(within(first).getByText('Open and new; it puts 2 assets at risk.')).toBeDefined();
  expect(first.textContent).toContain('52 → 44, lower by 8');
  expect(first.textContent).toContain('−8 points');
  expect(second.textContent).toContain('−4.5 points');
  expect(screen.queryByText(/limited to 100/u)).toBeNull();
  expect(screen.queryByRole('radio')).toBeNull();
});

it('at the limit of the score, an action that does not lower it yet says so and shows its points', async () => {
  show(single(100, [item({ scoreAfter: 100, delta: 0 })]));
  const action = within(await screen.findByRole('list', { name: 'Actions' })).getByRole('listitem');
  expect(action.textContent).toContain('Score stays 100');
  expect(action.textContent).toContain('−8 points');
  expect(screen.getByText(/The score is limited to 100/u)).toBeDefined();
});

it('groups of findings can be replaced by single findings', async () => {
  const group = item({ code: 'critical', title: 'Resolve the 12 critical open vulnerabilities' });
  const { user } = show({ score: 90, items: [group], findings: [item()] });
  expect(await screen.findByRole('link', { name: group.title })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Fix Log4Shell' })).toBeNull();
  await user.click(screen.getByText('Single findings'));
  expect(screen.getByRole('link', { name: 'Fix Log4Shell' })).toBeDefined();
  expect(screen.queryByRole('link', { name: group.title })).toBeNull();
});

it('without a finding there is nothing to do first', async () => {
  show(single(0, []));
  expect(await screen.findByText('Nothing to do first')).toBeDefined();
});

it('a failed load can be repeated', async () => {
  let failing = true;
  server.use(
    answer(overview.priorities, () => (failing ? refusal('internal', 'Down.') : single(52, [item()]))),
  );
  const { user } = renderPart(<FirstActions />);
  await screen.findByText('Failed to load the priorities.');
  failing = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('link', { name: 'Fix Log4Shell' })).toBeDefined();
});
