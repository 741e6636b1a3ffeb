import type { UserEvent } from '@testing-library/user-event';

/** Puts a text into a field in place of what it holds, at one go: the page around a form is large, each key costs. */
export async function fill(user: UserEvent, field: HTMLElement, text: string): Promise<void> {
  await user.clear(field);
  await user.paste(text);
}
