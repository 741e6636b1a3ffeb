import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { setSingleKeys, useShortcutGroups, useShortcuts, type Shortcut } from './shortcuts.ts';

afterEach(() => setSingleKeys(true));

interface PartProps {
  title?: string;
  shortcuts: readonly Shortcut[];
  on?: boolean;
}

function Part({ title = 'List', shortcuts, on }: PartProps) {
  useShortcuts(title, shortcuts, on);
  return null;
}

function Help() {
  return (
    <output>
      {useShortcutGroups()
        .map(
          ({ title, shortcuts }) =>
            `${title}: ${shortcuts.map((one) => `${one.keys} ${one.label}`).join(', ')}`,
        )
        .join('; ')}
    </output>
  );
}

/** One shortcut that records each run. */
function noted(keys: string, label = keys) {
  const run = vi.fn<() => void>();
  return { run, shortcut: { keys, label, run } };
}

test('a key runs its newest handler in lower and upper case, and is listed in the help', async () => {
  const [old, newer] = [noted('j', 'Next row'), noted('j', 'Next row')];
  const { rerender } = render(<Part shortcuts={[old.shortcut]} />);
  rerender(
    <>
      <Part shortcuts={[newer.shortcut, { keys: 'Enter', label: 'Open' }]} />
      <Help />
    </>,
  );
  await userEvent.keyboard('jJ');
  expect(newer.run).toHaveBeenCalledTimes(2);
  expect(old.run).not.toHaveBeenCalled();
  expect(screen.getByRole('status').textContent).toBe('List: j Next row, Enter Open');
});

test('a shortcut does not run while the user types, with a modifier, in a dialog, or when shortcuts are disabled', async () => {
  const next = noted('j');
  const part = <Part shortcuts={[next.shortcut]} />;
  const { rerender } = render(
    <>
      {part}
      <input aria-label="Name" />
    </>,
  );
  await userEvent.type(screen.getByLabelText('Name'), 'j');
  rerender(
    <>
      {part}
      <Dialog open title="Task" onOpenChange={() => undefined} />
    </>,
  );
  screen.getByRole('button', { name: 'Close' }).focus();
  await userEvent.keyboard('j');
  rerender(part);
  await userEvent.keyboard('{Control>}j{/Control}{Meta>}j{/Meta}{Alt>}j{/Alt}');
  setSingleKeys(false);
  await userEvent.keyboard('j');
  expect(next.run).not.toHaveBeenCalled();
  expect(localStorage.getItem('riskboard.single-keys')).toBe('off');
  setSingleKeys(true);
  await userEvent.keyboard('j');
  expect(next.run).toHaveBeenCalledOnce();
});

test('the group added last handles a key first; a disabled or removed group leaves it to the earlier one', async () => {
  const [page, panel] = [noted('x', 'Select'), noted('x', 'Close')];
  const shown = (on: boolean, open: boolean) => (
    <>
      <Part shortcuts={[page.shortcut]} />
      {open && <Part title="Panel" shortcuts={[panel.shortcut]} on={on} />}
      <Help />
    </>
  );
  const { rerender } = render(shown(true, true));
  await userEvent.keyboard('x');
  expect([page.run.mock.calls.length, panel.run.mock.calls.length]).toEqual([0, 1]);
  rerender(shown(false, true));
  await userEvent.keyboard('x');
  expect([page.run.mock.calls.length, panel.run.mock.calls.length]).toEqual([1, 1]);
  rerender(shown(true, false));
  await userEvent.keyboard('x');
  expect([page.run.mock.calls.length, panel.run.mock.calls.length]).toEqual([2, 1]);
  expect(screen.getByRole('status').textContent).toBe('List: x Select');
});

test('a two-key shortcut runs when its keys follow each other quickly with no other key in between', async () => {
  const go = noted('g v', 'Go to vulnerabilities');
  const view = noted('v', 'View');
  render(<Part shortcuts={[go.shortcut, view.shortcut]} />);
  await userEvent.keyboard('gv');
  expect([go.run.mock.calls.length, view.run.mock.calls.length]).toEqual([1, 0]);
  await userEvent.keyboard('gqv');
  expect([go.run.mock.calls.length, view.run.mock.calls.length]).toEqual([1, 1]);
  const late = new KeyboardEvent('keydown', { key: 'v', bubbles: true });
  await userEvent.keyboard('g');
  Object.defineProperty(late, 'timeStamp', { value: late.timeStamp + 5000 });
  fireEvent(document.body, late);
  expect([go.run.mock.calls.length, view.run.mock.calls.length]).toEqual([1, 2]);
});

test('a handled key has no default action; an unhandled key keeps it', () => {
  render(<Part shortcuts={[noted('/').shortcut]} />);
  expect(fireEvent.keyDown(document.body, { key: '/' })).toBe(false);
  expect(fireEvent.keyDown(document.body, { key: 'k' })).toBe(true);
});
