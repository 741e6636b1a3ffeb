import type { SyntheticEvent } from 'react';

type Props = Readonly<Record<string, unknown>>;
type Handler = (event: SyntheticEvent) => void;

const isHandler = (name: string, value: unknown): value is Handler =>
  /^on[A-Z]/u.test(name) && typeof value === 'function';

/** An element's props with others added: what is its own stays, handlers run one after the other, its own first. */
export function withHandlers(own: Props, added: Props): Props {
  const merged: Record<string, unknown> = { ...added, ...own };
  for (const [name, handler] of Object.entries(added)) {
    const first = own[name];
    if (!isHandler(name, handler) || !isHandler(name, first)) continue;
    merged[name] = (event: SyntheticEvent) => {
      first(event);
      if (!event.defaultPrevented) handler(event);
    };
  }
  return merged;
}
