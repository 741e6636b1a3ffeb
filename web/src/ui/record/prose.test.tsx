import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Prose } from './prose.tsx';

it('shows the links, code and numbered citations of a description', () => {
  render(
    <Prose
      label="Description"
      text="[Quay](https://example.org/q) runs <code>dir</code>.(Citation: Port 2020)(Citation: Dock)"
    />,
  );
  expect(screen.getByRole('link', { name: /^Quay/u }).getAttribute('href')).toBe('https://example.org/q');
  expect(screen.getByText('dir').tagName).toBe('CODE');
  const citations = within(screen.getByRole('list', { name: 'Citations' })).getAllByRole('listitem');
  expect(citations.map(({ textContent }) => textContent)).toEqual(['1 Port 2020', '2 Dock']);
});

it('lists the citations of a folded text once it is unfolded', async () => {
  render(<Prose label="Description" text={`${'Quays. '.repeat(300)}(Citation: Port 2020)`} />);
  expect(screen.queryByRole('list', { name: 'Citations' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show all of Description' }));
  expect(screen.getByRole('list', { name: 'Citations' }).textContent).toContain('Port 2020');
});
