import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { Button } from '../button/button.tsx';
import { Dialog } from '../dialog/dialog.tsx';
import { MenuItem, Menu } from './menu.tsx';
import { Select } from '../input/select.tsx';
import { ButtonWithReason } from '../button/button-with-reason.tsx';
import { Tooltip } from './tooltip.tsx';

const items = [
  { value: 'low', label: 'Low' },
  { value: 'high', label: 'High' },
] as const;

function Choosing() {
  const [value, setValue] = useState<'low' | 'high'>('low');
  return <Select label="Level" items={items} value={value} onChange={setValue} />;
}

it('a menu opened by keyboard focuses its first entry and returns the focus to its button', async () => {
  const user = userEvent.setup();
  const rename = vi.fn<() => void>();
  render(
    <Menu trigger={<Button>More</Button>}>
      <MenuItem onSelect={rename}>Rename</MenuItem>
      <MenuItem onSelect={() => undefined}>Delete</MenuItem>
    </Menu>,
  );
  const button = screen.getByRole('button', { name: 'More' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  await user.tab();
  await user.keyboard('{ArrowDown}');
  const menu = await screen.findByRole('menu', { name: 'More' });
  expect(button.getAttribute('aria-controls')).toBe(menu.id);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Rename'));
  await user.keyboard('{Enter}');
  expect(rename).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(document.activeElement).toBe(button);
  expect(button.isConnected).toBe(true);
});

function MenuWithDialog() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Menu trigger={<Button>More</Button>}>
        <MenuItem onSelect={() => setOpen(true)}>Rename</MenuItem>
      </Menu>
      <Dialog open={open} onOpenChange={setOpen} title="Rename">
        <input aria-label="Name" />
      </Dialog>
    </>
  );
}

it('a dialog that a menu item opens keeps the focus after the menu has closed', async () => {
  const user = userEvent.setup();
  render(<MenuWithDialog />);
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
  const dialog = await screen.findByRole('dialog', { name: 'Rename' });
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  // The menu returns the focus to its button in a later frame; it must not take it from the dialog.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(dialog.contains(document.activeElement)).toBe(true);
});

it('the own action of a trigger button runs before its menu opens', async () => {
  const clicked = vi.fn<() => void>();
  render(
    <Menu trigger={<Button onClick={clicked}>More</Button>}>
      <MenuItem onSelect={() => undefined}>Rename</MenuItem>
    </Menu>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'More' }));
  await screen.findByRole('menuitem', { name: 'Rename' });
  expect(clicked).toHaveBeenCalledOnce();
});

it('a select opens at the chosen value and shows a newly chosen one', async () => {
  const user = userEvent.setup();
  render(<Choosing />);
  const box = screen.getByRole('combobox', { name: 'Level' });
  expect(box.textContent).toBe('Low');
  await user.tab();
  await user.keyboard('h');
  const list = await screen.findByRole('listbox', { name: 'Level' });
  expect(box.getAttribute('aria-controls')).toBe(list.id);
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Low');
  await user.click(screen.getByRole('option', { name: 'High' }));
  await waitFor(() => expect(box.textContent).toBe('High'));
  expect(document.activeElement).toBe(box);
});

it('a tooltip opens on focus, describes its element, and closes on Escape', async () => {
  const user = userEvent.setup();
  render(
    <Tooltip content="Why so">
      <button type="button">What</button>
    </Tooltip>,
  );
  await user.tab();
  const tooltip = await screen.findByRole('tooltip');
  expect(tooltip.textContent).toBe('Why so');
  expect(document.activeElement?.getAttribute('aria-describedby')).toBe(tooltip.id);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  await user.tab();
  await user.tab({ shift: true });
  await screen.findByRole('tooltip');
});

it('a tooltip closes when its element is clicked, so that it does not cover what the click opens', async () => {
  const user = userEvent.setup();
  render(
    <Tooltip content="Theme">
      <button type="button">Theme</button>
    </Tooltip>,
  );
  await user.hover(screen.getByRole('button'));
  await screen.findByRole('tooltip');
  await user.click(screen.getByRole('button'));
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
});

it('a tooltip that says why a button is disabled stays open when the button is clicked', async () => {
  const user = userEvent.setup();
  render(<ButtonWithReason disabledReason="Requires the analyst role.">Save</ButtonWithReason>);
  await user.hover(screen.getByRole('button'));
  await screen.findByRole('tooltip');
  await user.click(screen.getByRole('button'));
  expect(screen.getByRole('tooltip').textContent).toBe('Requires the analyst role.');
});

it('a tap on a disabled button shows why, and its description says so before', async () => {
  const user = userEvent.setup();
  render(
    <>
      <ButtonWithReason disabledReason="Requires the analyst role.">Save</ButtonWithReason>
      <p>Text</p>
    </>,
  );
  const button = screen.getByRole('button');
  expect(button.getAttribute('aria-description')).toBe('Requires the analyst role.');
  expect(screen.queryByRole('tooltip')).toBeNull();
  await user.pointer({ keys: '[TouchA]', target: button });
  expect((await screen.findByRole('tooltip')).textContent).toBe('Requires the analyst role.');
  await user.pointer({ keys: '[TouchA]', target: screen.getByText('Text') });
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
});
