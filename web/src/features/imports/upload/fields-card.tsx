import { importableFields, type ImportNoun } from '@riskboard/contract';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';

/** The fields that a file can set, with the values that they accept. */
export function FieldsCard({ noun }: { noun: ImportNoun }) {
  const fields = importableFields(noun);
  return (
    <Card title="What can be imported">
      <section
        aria-label="Fields"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scroll region takes the focus (WCAG 2.1.1)
        tabIndex={0}
        className="max-h-112 overflow-y-auto -outline-offset-2"
      >
        <dl className="divide-y">
          {fields.map(({ field, label, required, accepts }) => (
            <div key={field} className="flex flex-col gap-0.5 px-4 py-2">
              <dt className="flex items-center justify-between gap-2 text-sm font-medium">
                {label}
                {required && <Badge>Required</Badge>}
              </dt>
              <dd className="text-sm text-muted">{accepts}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Card>
  );
}
