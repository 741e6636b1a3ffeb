import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { LoadFailure } from '../feedback/load-failure.tsx';

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

const floating = 'fixed inset-x-4 top-16 z-50 mx-auto w-fit rounded border bg-raised shadow-raised';

/**
 * A component in a chunk of its own that loads when the component is shown first. The content appears as soon as its code
 * has arrived: with `React.lazy`, React keeps a fallback on the page for at least 300 ms, and a part in a part for twice
 * as long. A failed load is reported in the part's place, so that the rest of the page and its input stay.
 * @param fallback shown until then, or renders it from the props; of the size of the content so that nothing moves
 * @param floats the part has no place on the page, as a dialog, or a small one: a failed load is reported above the page
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode | ((props: Props) => ReactNode) = null,
  floats = false,
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
    if ('error' in loaded)
      return (
        <div className={floats ? floating : 'rounded border bg-surface'}>
          <LoadFailure
            title="Failed to load this part of the page."
            error={loaded.error}
            onRetry={() => setLoaded(undefined)}
          />
        </div>
      );
    return <loaded.Content {...props} />;
  }

  return Object.assign(Part, { load: start });
}
