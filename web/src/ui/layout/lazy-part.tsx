import { useEffect, useState, type ComponentType, type ReactNode } from 'react';

type Loaded<Props extends object> =
  | { readonly Content: ComponentType<Props> }
  | { readonly error: unknown }
  | undefined;

export interface LazyPart<Props extends object> {
  (props: Props): ReactNode;
  /** Loads the code before the part is shown. @throws when the code cannot be loaded; a later call tries again */
  load(): Promise<ComponentType<Props>>;
}

/** An empty card of the height of a part (`h-40`), so that nothing moves when it appears. */
export const reserved = (height: `h-${number}`): ReactNode => (
  <div aria-hidden className={`${height} rounded border bg-surface`} />
);

/**
 * A component in a chunk of its own that loads when the component is shown first. The content appears as soon as its code
 * has arrived: with `React.lazy`, React keeps a fallback on the page for at least 300 ms, and a part in a part for twice
 * as long. A failed load is thrown to the nearest error boundary.
 * @param fallback shown until then, or renders it from the props; of the size of the content so that nothing moves
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode | ((props: Props) => ReactNode) = null,
): LazyPart<Props> {
  let content: ComponentType<Props> | undefined;
  const start = async () => (content ??= await load());

  function Part(props: Props): ReactNode {
    const [loaded, setLoaded] = useState<Loaded<Props>>(() => content && { Content: content });
    const isLoaded = loaded !== undefined;

    useEffect(() => {
      if (isLoaded) return undefined;
      let isShown = true;
      const show = (next: Loaded<Props>) => {
        if (isShown) setLoaded(next);
      };
      start().then(
        (Content) => show({ Content }),
        (error: unknown) => show({ error }),
      );
      return () => void (isShown = false);
    }, [isLoaded]);

    if (loaded === undefined) return typeof fallback === 'function' ? fallback(props) : fallback;
    if ('error' in loaded) throw loaded.error;
    return <loaded.Content {...props} />;
  }

  return Object.assign(Part, { load: start });
}
