import type { CsvImport } from '@riskboard/contract';
import { Check } from 'lucide-react';
import { isWritten } from './import-labels.ts';
import type { ImportSearch } from './import-search.ts';

/** Steps of an import, in order. */
export const importSteps = ['Upload', 'Columns', 'Dry run', 'Import'] as const;
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

/** Where in the import the page is. */
export function ImportSteps({ current, isDone }: { current: ImportStep; isDone: boolean }) {
  const at = importSteps.indexOf(current);
  return (
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
                  ? 'bg-accent text-on-accent'
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
  );
}
