import { expect, it } from 'vitest';
import { focusBack } from './focus-back.ts';

const made = (name: 'button' | 'div', parent: Element = document.body) => {
  const element = document.createElement(name);
  element.tabIndex = 0;
  parent.append(element);
  return element;
};

it('the focus goes back to the button from the popup, and from nowhere', () => {
  const button = made('button');
  const popup = made('div');
  expect(focusBack(popup, button)).toBe(button);
  made('div', popup).focus();
  expect(focusBack(popup, button)).toBe(button);
  popup.focus();
  expect(focusBack(popup, button)).toBe(button);
});

it('a dialog that has taken the focus keeps it', () => {
  const button = made('button');
  const popup = made('div');
  made('button').focus();
  expect(focusBack(popup, button)).toBe(false);
  expect(focusBack(null, button)).toBe(false);
});
