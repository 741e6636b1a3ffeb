import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SearchField } from './search-field.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const field = () => screen.getByRole('searchbox', { name: 'Search files' });
const write = (text: string) => fireEvent.change(field(), { target: { value: text } });
const wait = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));

test('the search is debounced, even when the page renders again meanwhile', () => {
  const onChange = vi.fn<(value: string) => void>();
  const { rerender } = render(
    <SearchField label="Search files" value="" onChange={(text) => onChange(text)} />,
  );
  write('ap');
  wait(200);
  write('apt');
  for (let round = 0; round < 4; round += 1) {
    expect(onChange).not.toHaveBeenCalled();
    wait(62);
    rerender(<SearchField label="Search files" value="" onChange={(text) => onChange(text)} />);
  }
  wait(2);
  expect(onChange).toHaveBeenCalledExactlyOnceWith('apt');
});

test('Enter searches at once; Escape and the clear button clear the search', () => {
  const onChange = vi.fn<(value: string) => void>();
  render(<SearchField label="Search files" value="" onChange={onChange} />);
  write('apt');
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(onChange.mock.calls).toEqual([['apt']]);
  fireEvent.keyDown(field(), { key: 'Escape' });
  expect(onChange.mock.calls).toEqual([['apt'], ['']]);
  write('x');
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  expect(field().getAttribute('value')).toBe('');
  wait(1000);
  expect(onChange.mock.calls.at(-1)).toEqual(['']);
});

test('keys that end the composition of a word neither search nor clear', () => {
  const onChange = vi.fn<(value: string) => void>();
  render(<SearchField label="Search files" value="" onChange={onChange} />);
  write('さくら');
  for (const key of ['Enter', 'Escape']) fireEvent.keyDown(field(), { key, isComposing: true });
  expect(field().getAttribute('value')).toBe('さくら');
  expect(onChange).not.toHaveBeenCalled();
});

test('text typed before the URL has updated is kept', () => {
  const onChange = vi.fn<(value: string) => void>();
  const { rerender } = render(<SearchField label="Search files" value="" onChange={onChange} />);
  const show = (value: string) =>
    rerender(<SearchField label="Search files" value={value} onChange={onChange} />);
  write('a');
  wait(250);
  write('ap');
  wait(250);
  write('apt');
  show('a');
  show('ap');
  expect(field().getAttribute('value')).toBe('apt');
  wait(250);
  expect(onChange.mock.calls).toEqual([['a'], ['ap'], ['apt']]);
});

test('the search field follows the URL: Back restores the previous search', () => {
  const { rerender } = render(<SearchField label="Search files" value="apt" onChange={() => undefined} />);
  rerender(<SearchField label="Search files" value="kev" onChange={() => undefined} />);
  expect(field().getAttribute('value')).toBe('kev');
});

test('a slash focuses the search field, but is typed as text in other fields', async () => {
  vi.useRealTimers();
  const user = userEvent.setup();
  render(
    <>
      <input aria-label="Other" />
      <SearchField label="Search files" value="" onChange={() => undefined} />
    </>,
  );
  await user.click(screen.getByLabelText('Other'));
  await user.keyboard('/');
  expect(document.activeElement).toBe(screen.getByLabelText('Other'));
  await user.click(document.body);
  await user.keyboard('/');
  expect(document.activeElement).toBe(field());
  expect(field().getAttribute('value')).toBe('');
});
