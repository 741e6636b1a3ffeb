import { useCallback, useState, type ReactNode } from 'react';
import { lazyPart } from './lazy-part.tsx';

const SectionLinks = lazyPart(async () => (await import('./section-links.tsx')).SectionLinks, null, true);

interface DetailColumnsProps {
  /** Facts beside the content. */
  side: ReactNode;
  children: ReactNode;
  /** On narrow screens, where there is one column, the side follows the content instead of preceding it. */
  sideLast?: boolean;
}

/**
 * The content of a detail page with its facts at the right, and the links to its sections below them. These stay in the
 * window while the content scrolls: from their start, or, if they are taller than the window, from their end.
 */
export function DetailColumns({ side, children, sideLast = false }: DetailColumnsProps) {
  const measured = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      element.style.setProperty('--own-height', `${element.offsetHeight}px`);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const [content, setContent] = useState<HTMLElement | null>(null);
  const facts = (
    <div
      ref={measured}
      className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-[min(4.5rem,calc(100dvh-var(--own-height,0px)-1rem))] lg:order-last"
    >
      {side}
      <SectionLinks content={content} />
    </div>
  );
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_340px] xl:grid-cols-[minmax(0,1fr)_400px]">
      {!sideLast && facts}
      <div ref={setContent} className="flex min-w-0 flex-col gap-4">
        {children}
      </div>
      {sideLast && facts}
    </div>
  );
}
