import { CircleAlert } from 'lucide-react';
import type { RefObject } from 'react';
import { controlId } from './use-field.ts';

export interface Problem {
  /** Field; undefined: the form as a whole. */
  name?: string;
  text: string;
}

interface ErrorSummaryProps {
  form: string;
  problems: readonly Problem[];
  element: RefObject<HTMLElement | null>;
}

/** What keeps a form from being sent, each leading to its field. It gets the focus when a sending has failed. */
export function ErrorSummary({ form, problems, element }: ErrorSummaryProps) {
  if (problems.length === 0) return null;
  const title = problems.length === 1 ? 'There is a problem' : `There are ${problems.length} problems`;
  return (
    <section
      ref={element}
      tabIndex={-1}
      aria-label={title}
      className="mb-4 scroll-mt-20 rounded border border-danger bg-danger-soft px-4 py-3"
    >
      <h2 className="flex items-center gap-2 font-semibold text-danger">
        <CircleAlert aria-hidden size={16} className="shrink-0" />
        {title}
      </h2>
      <ul className="mt-1 flex flex-col pl-6 text-danger">
        {problems.map(({ name, text }) => (
          <li key={name ?? text}>
            {name === undefined ? (
              text
            ) : (
              <a
                href={`#${controlId(form, name)}`}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(controlId(form, name))?.focus();
                }}
                className="inline-flex min-h-6 items-center underline underline-offset-3"
              >
                {text}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
