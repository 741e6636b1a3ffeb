import { useEffect, useState } from 'react';

interface Section {
  name: string;
  element: Element;
}

interface SectionLinksProps {
  /** Holds the sections: each is a `Card` with a title. */
  content: HTMLElement | null;
}

/** Fewer sections are found without a list of them. */
const fewest = 3;
/** Window heights that the content has at least. */
const screens = 2;

function sectionsOf(content: HTMLElement): Section[] {
  if (content.offsetHeight < window.innerHeight * screens) return [];
  const found = Array.from(content.querySelectorAll('section > header > h2'), (heading) => {
    const element = heading.closest('section') ?? heading;
    return { name: element.getAttribute('aria-label') ?? heading.textContent, element };
  });
  return found.length < fewest ? [] : found;
}

/** The sections of the content in their order, also those that load later. */
function useSections(content: HTMLElement | null): readonly Section[] {
  const [sections, setSections] = useState<readonly Section[]>([]);
  useEffect(() => {
    if (content === null) return undefined;
    const read = () =>
      setSections((last) => {
        const next = sectionsOf(content);
        const isSame =
          next.length === last.length &&
          next.every(({ name, element }, at) => last[at]?.element === element && last[at].name === name);
        return isSame ? last : next;
      });
    // A section that loads changes the height.
    const observer = new ResizeObserver(read);
    observer.observe(content);
    return () => observer.disconnect();
  }, [content]);
  return sections;
}

/** The first section in the upper part of the window. Between two sections it is the one before. */
function useCurrent(sections: readonly Section[]): Element | undefined {
  const [current, setCurrent] = useState<Element>();
  useEffect(() => {
    const visible = new Set<Element>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) visible.add(target);
          else visible.delete(target);
        const first = sections.find(({ element }) => visible.has(element));
        if (first) setCurrent(first.element);
      },
      { rootMargin: '-72px 0px -60% 0px' },
    );
    for (const { element } of sections) observer.observe(element);
    return () => observer.disconnect();
  }, [sections]);
  return current;
}

/** The sections of a long page, to jump to one. Short pages have no such list. */
export function SectionLinks({ content }: SectionLinksProps) {
  const sections = useSections(content);
  return sections.length === 0 ? null : <List sections={sections} />;
}

function List({ sections }: { sections: readonly Section[] }) {
  const current = useCurrent(sections);
  function show(element: Element): void {
    element.scrollIntoView();
    const heading = element.querySelector<HTMLElement>('h2');
    if (heading === null) return;
    // The next Tab goes on from there.
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  return (
    <nav aria-label="On this page" className="hidden px-4 lg:block print:hidden">
      <p className="mb-1 text-xs font-medium text-muted">On this page</p>
      <ul className="border-l">
        {sections.map(({ name, element }) => (
          <li key={name} className="-ml-px">
            <button
              type="button"
              aria-current={element === current ? 'true' : undefined}
              className="w-full truncate border-l border-transparent py-0.5 pl-3 text-left text-sm text-muted hover:text-text aria-[current=true]:border-accent aria-[current=true]:font-medium aria-[current=true]:text-text"
              onClick={() => show(element)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
