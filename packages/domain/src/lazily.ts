/**
 * A value that is made when it is used first, such as a formatter: the first one of `Intl` takes some ten milliseconds, and
 * modules are evaluated before a page is shown.
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
