import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLayoutEffect, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { listColumns, type ListSelection } from './list-columns.ts';
import { stateOfCheckbox } from '../../testing/checkbox.ts';

interface Row {
  id: string;
  name: string;
  size: number;
}

const rows: Row[] = ['alpha', 'beta', 'gamma', 'delta'].map((name, index) => ({
  id: name,
  name,
  size: index,
}));

const column = listColumns<Row>();
const columns = [
  column.display({
    id: 'name',
    meta: { label: 'Name', sortable: true, rowHeader: true },
    cell: ({ row }) => row.original.name,
  }),
  column.display({
    id: 'size',
    meta: { label: 'Size', align: 'right', sortable: true, descendingFirst: true },
    cell: ({ row }) => row.original.size,
  }),
  column.display({ id: 'kind', meta: { label: 'Kind' }, cell: () => 'letter' }),
];

type Change = Partial<DataTableProps<Row>> & { onSelection?: (value: ListSelection) => void };

function Fixture({ onSelection, ...change }: Change) {
  const [value, setValue] = useState<ListSelection>({});
  const onChange = (next: ListSelection) => {
    setValue(next);
    onSelection?.(next);
  };
  return (
    <DataTable<Row>
      label="Files"
      columns={columns}
      rows={rows}
      rowId={(row) => row.id}
      sort="-name"
      standardSort="-size"
      onSort={() => undefined}
      selection={{ value, onChange, name: (row) => row.name }}
      empty={<p>No files found.</p>}
      {...change}
    />
  );
}

const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);
const box = (name: string) => screen.getByRole('checkbox', { name });
const selectAll = () => box('Select all rows on this page');

test('rows have a header cell; a header requests one direction, the other, then the default sort', async () => {
  const onSort = vi.fn<(sort: string) => void>();
  const user = userEvent.setup();
  const { rerender } = render(<Fixture onSort={onSort} />);
  expect(names()).toEqual(['alpha', 'beta', 'gamma', 'delta']);
  const header = screen.getByRole('columnheader', { name: 'Name' });
  expect(header.getAttribute('aria-sort')).toBe('descending');
  expect(screen.getByRole('columnheader', { name: 'Kind' }).hasAttribute('aria-sort')).toBe(false);
  await user.click(within(header).getByRole('button'));
  expect(onSort).toHaveBeenLastCalledWith('-size');
  await user.click(screen.getByRole('button', { name: 'Size' }));
  expect(onSort).toHaveBeenLastCalledWith('-size');
  rerender(<Fixture onSort={onSort} sort="name" />);
  expect(header.getAttribute('aria-sort')).toBe('ascending');
  await user.click(within(header).getByRole('button'));
  expect(onSort).toHaveBeenLastCalledWith('-name');
});

test('the checkbox in the header selects none or all rows of the page and shows a partial selection', async () => {
  const user = userEvent.setup();
  const onSelection = vi.fn<(value: ListSelection) => void>();
  render(<Fixture onSelection={onSelection} />);
  await user.click(box('Select beta'));
  expect(onSelection).toHaveBeenLastCalledWith({ beta: true });
  expect(stateOfCheckbox(selectAll())).toBe('mixed');
  await user.click(selectAll());
  expect(onSelection).toHaveBeenLastCalledWith({ alpha: true, beta: true, gamma: true, delta: true });
  expect(stateOfCheckbox(selectAll())).toBe('checked');
  await user.click(selectAll());
  expect(onSelection).toHaveBeenLastCalledWith({});
  expect(stateOfCheckbox(selectAll())).toBe('unchecked');
});

test('Shift selects the range from the last row to this one', async () => {
  const user = userEvent.setup();
  const onSelection = vi.fn<(value: ListSelection) => void>();
  render(<Fixture onSelection={onSelection} />);
  await user.click(box('Select alpha'));
  await user.keyboard('{Shift>}');
  await user.click(box('Select gamma'));
  await user.keyboard('{/Shift}');
  expect(onSelection).toHaveBeenLastCalledWith({ alpha: true, beta: true, gamma: true });
});

test('a skeleton of the same size is shown after 150 ms while the first rows load', () => {
  vi.useFakeTimers();
  const { container } = render(<Fixture rows={undefined} skeletonRows={4} />);
  const bars = () => container.querySelectorAll('tbody .animate-pulse').length;
  expect(container.querySelectorAll('tbody tr')).toHaveLength(4);
  expect(container.querySelectorAll('tbody tr:first-child td')).toHaveLength(4);
  expect(bars()).toBe(0);
  act(() => void vi.advanceTimersByTime(150));
  expect(bars()).toBe(16);
  vi.useRealTimers();
});

test('a table without rows shows the empty state', () => {
  render(<Fixture rows={[]} />);
  expect(screen.getByText('No files found.')).toBeDefined();
  expect(screen.queryByRole('table')).toBeNull();
});

test('a failure shows title, reason and request id, and can be retried', async () => {
  const onRetry = vi.fn<() => void>();
  const error = Object.assign(new Error('A part of Riskboard is not reachable.'), { requestId: 'request-9' });
  render(<Fixture failure={{ title: 'Failed to load files.', error, onRetry }} />);
  const alert = screen.getByRole('alert');
  expect(alert.textContent).toContain('Failed to load files.');
  expect(alert.textContent).toContain('A part of Riskboard is not reachable.');
  expect(alert.textContent).toContain('request-9');
  await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledOnce();
});

test('a table that is wider than its region is one that scrolls before the page restores its scroll position', () => {
  vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(900);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(600);
  const found: (boolean | undefined)[] = [];
  function Page() {
    // The router restores the position after the layout effects of the page.
    useLayoutEffect(() => {
      found.push(document.querySelector('section')?.hasAttribute('data-wide'));
    }, []);
    return <Fixture />;
  }
  render(<Page />);
  expect(found).toEqual([true]);
  vi.restoreAllMocks();
});
