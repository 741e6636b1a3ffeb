import type { CsvImport } from '@riskboard/contract';
import { Check } from 'lucide-react';
import { createContext, use, useEffect, useRef } from 'react';
import { createStore } from '../../lib/browser/store.ts';
import { isWritten } from './import-labels.ts';
import type { ImportSearch } from './import-search.ts';

/** Steps of an import, in order. */
const importSteps = ['Upload', 'Columns', 'Dry run', 'Import'] as const;
export type ImportStep = (typeof importSteps)[number];

/** The step that the page shows. Changed columns of a checked file need another dry run. */
export function stepOf(csv: CsvImport | undefined, search: ImportSearch): ImportStep {
  if (csv === undefined) return 'Upload';
  if (isWritten(csv.state) || csv.state === 'importing') return 'Import';
  if (csv.state === 'checking') return 'Dry run';
  const { step, map, key, project } = search;
  const isEdited = step === 'columns' || [map, key, project].some((choice) => choice !== undefined);
  return csv.state === 'checked' && !isEdited ? 'Dry run' : 'Columns';
}

/** The step that the page showed last, over the parts of the page; undefined when it shows the first one. */
export const ShownStep = createContext(createStore<string | undefined>(undefined));

interface ImportStepsProps {
  current: ImportStep;
  /** State of the import; absent before the upload. */
  state?: CsvImport['state'];
}

/** Where in the import the page is. A new step whose predecessor had the focus gets the focus at its heading. */
export function ImportSteps({ current, state }: ImportStepsProps) {
  const shown = use(ShownStep);
  const heading = useRef<HTMLHeadingElement>(null);
  const at = importSteps.indexOf(current);
  const isDone = state !== undefined && isWritten(state) && state !== 'undoing';

  useEffect(() => {
    const step = `${current} ${state ?? ''}`;
    const isNew = shown.get() !== undefined && shown.get() !== step;
    shown.set(step);
    // The focused control was removed with its step.
    if (isNew && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [shown, current, state]);

  return (
    <>
      <h2 ref={heading} tabIndex={-1} className="sr-only">
        {`Step ${at + 1} of ${importSteps.length}: ${current}`}
      </h2>
      <ol aria-label="Steps" className="mb-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm sm:gap-x-2">
        {importSteps.map((step, index) => {
          const isPast = index < at || (index === at && isDone);
          return (
            <li
              key={step}
              aria-current={index === at ? 'step' : undefined}
              className={`flex items-center gap-2 ${index === at ? 'font-medium text-text' : 'text-muted'}`}
            >
              {index > 0 && <span aria-hidden className="hidden h-px w-8 bg-line-strong/60 sm:block" />}
              <span
                aria-hidden
                className={`flex size-5 items-center justify-center rounded-full text-xs tabular-nums ${
                  index === at && !isDone
                    ? 'bg-accent text-on-accent forced-colors:border'
                    : isPast
                      ? 'bg-success-soft text-success'
                      : 'bg-hover text-muted'
                }`}
              >
                {isPast ? <Check size={12} /> : index + 1}
              </span>
              {step}
              {isPast && <span className="sr-only">, done</span>}
            </li>
          );
        })}
      </ol>
    </>
  );
}
