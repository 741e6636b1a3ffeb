import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { expect, test, vi, describe } from 'vitest';
import { Pager, pageFromText, pageWindow } from './pager.tsx';

type Change = Partial<
  Pick<ComponentProps<typeof Pager>, 'page' | 'pageSize' | 'total' | 'isCapped' | 'hasNext'>
>;

function renderPager(change: Change = {}) {
  const onPage = vi.fn<(page: number) => void>();
  const onPageSize = vi.fn<(pageSize: number) => void>();
  render(<Pager page={1} pageSize={10} total={95} onPage={onPage} onPageSize={onPageSize} {...change} />);
  return { onPage, onPageSize, user: userEvent.setup() };
}

const pages = () =>
  within(screen.getByRole('navigation', { name: 'Pages' }))
    .getAllByRole('button', { name: /^Page \d/u })
    .map((button) => button.textContent);

test('the pager shows the rows of the page and at most 5 page buttons', () => {
  renderPager({ page: 10 });
  expect(screen.getByText('91–95 of 95')).toBeDefined();
  expect(pages()).toEqual(['6', '7', '8', '9', '10']);
  expect(screen.getByRole('button', { name: 'Page 10' }).getAttribute('aria-current')).toBe('page');
  expect(screen.getByRole('button', { name: 'Next page' }).getAttribute('aria-disabled')).toBe('true');
});

test('the pager announces its rows when the page changes, with the total of that page, and not when only their number does', async () => {
  const noChange = () => undefined;
  const pagerOf = (change: Change) => (
    <Pager page={1} pageSize={10} total={95} onPage={noChange} onPageSize={noChange} {...change} />
  );
  const { container, rerender } = render(pagerOf({}));
  const announced = () => container.querySelector('[aria-live]')?.textContent;
  rerender(pagerOf({ total: 120 }));
  expect(screen.getByText('1–10 of 120')).toBeDefined();
  expect(announced()).toBe('');
  rerender(pagerOf({ total: 120, page: 2 }));
  // The page was shown before; its new total follows.
  rerender(pagerOf({ total: 119, page: 2 }));
  await waitFor(() => expect(announced()).toBe('11–20 of 119'));
  rerender(pagerOf({ total: 121, page: 2 }));
  expect(announced()).toBe('11–20 of 119');
});

test('the pager has no buttons for a single page', () => {
  renderPager({ total: 10 });
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull();
  expect(screen.getByText('1–10 of 10')).toBeDefined();
});

test('the pager goes to the previous, next and a numbered page', async () => {
  const { onPage, user } = renderPager({ page: 4 });
  await user.click(screen.getByRole('button', { name: 'Previous page' }));
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  await user.click(screen.getByRole('button', { name: 'Page 6' }));
  expect(onPage.mock.calls).toEqual([[3], [5], [6]]);
});

test('the page field accepts only digits and clamps to existing pages', async () => {
  const { onPage, user } = renderPager();
  const box = screen.getByRole('textbox', { name: 'Page' });
  await user.clear(box);
  await user.type(box, 'x9y9{Enter}');
  expect(onPage).toHaveBeenLastCalledWith(10);
});

describe('the pager of a list whose rows were counted in part', () => {
  const capped = { pageSize: 50, total: 10_000, isCapped: true };

  test('says that there are more rows and pages', () => {
    renderPager({ ...capped, hasNext: true });
    expect(screen.getByText('1–50 of 10,000+')).toBeDefined();
    expect(screen.getByText(/of 200\+/u)).toBeDefined();
  });

  test('leads to the pages after the counted ones, as long as there are any', async () => {
    const { onPage, user } = renderPager({ ...capped, page: 250, hasNext: true });
    expect(screen.getByText('12,451–12,500 of 10,000+')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    const box = screen.getByRole('textbox', { name: 'Page' });
    await user.clear(box);
    await user.type(box, '900{Enter}');
    expect(onPage.mock.calls).toEqual([[251], [900]]);
  });

  test('has no next page after the last one', () => {
    renderPager({ ...capped, page: 250 });
    expect(screen.getByRole('button', { name: 'Next page' }).getAttribute('aria-disabled')).toBe('true');
  });
});

test('the page size can be chosen', async () => {
  const { onPageSize, user } = renderPager();
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '30');
  expect(onPageSize).toHaveBeenCalledWith(30);
});

describe('page numbers: at most 5 page buttons (spec 9, Paging)', () => {
  test.each([
    [1, 1, [1]],
    [1, 3, [1, 2, 3]],
    [1, 9, [1, 2, 3, 4, 5]],
    [3, 9, [1, 2, 3, 4, 5]],
    [4, 9, [2, 3, 4, 5, 6]],
    [8, 9, [5, 6, 7, 8, 9]],
    [9, 9, [5, 6, 7, 8, 9]],
  ])('page %i of %i shows the buttons %j', (page, pages, shown) =>
    expect(pageWindow(page, pages)).toEqual(shown),
  );
});

describe('page field: digits only, clamped (spec 5)', () => {
  test.each([
    ['7', 7],
    ['0', 1],
    ['99', 9],
    ['a3b', 3],
    ['-4', 4],
    ['', null],
    ['abc', null],
  ])('the input %j with 9 pages is %s', (text, page) => expect(pageFromText(text, 9)).toBe(page));
});
