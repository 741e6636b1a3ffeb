import { notAvailable, type RecordSource } from '@riskboard/contract';
import { Undo2 } from 'lucide-react';
import type { RecordNoun } from '../../lib/record-queries.ts';
import { fieldLabel, fieldText, recordFields } from '../../lib/record-words.ts';
import { fieldOf, type AnyRecord } from './use-revert.ts';
import { Badge } from '../badge/badge.tsx';
import { Button } from '../button/button.tsx';
import { Prose } from './prose.tsx';

interface SourceFieldsProps {
  noun: RecordNoun;
  record: AnyRecord;
  source: RecordSource;
  /** Takes a field back; absent where another report counts. */
  onTakeBack?: ((field: string) => void) | undefined;
  busy: boolean;
  refusal: string | undefined;
}

const cell = 'border-b px-3 py-2 text-left align-top first:pl-4 last:pr-4';
const head = `${cell} bg-sunken text-xs font-medium whitespace-nowrap text-muted`;

interface Compared {
  field: string;
  label: string;
  own: string;
  said: string;
  edited: boolean;
}

/** Fields that the report can speak of and of which one side says something. */
function compare({
  noun,
  record,
  source,
}: Pick<SourceFieldsProps, 'noun' | 'record' | 'source'>): Compared[] {
  return Object.keys(recordFields[noun])
    .filter((field) => field in source.fields)
    .map((field) => ({
      field,
      label: fieldLabel(noun, field),
      own: fieldText(noun, field, fieldOf(record, field)),
      said: fieldText(noun, field, source.fields[field]),
      edited: record.editedFields.includes(field),
    }))
    .filter(({ own, said, edited }) => edited || own !== notAvailable || said !== notAvailable);
}

/** What a report says per field, next to the record's own value. */
export function SourceFields({ noun, record, source, onTakeBack, busy, refusal }: SourceFieldsProps) {
  const rows = compare({ noun, record, source });
  const name = `Fields in ${source.file} at ${source.place}`;
  return (
    <div className="border-t">
      <table aria-label={name} className="w-full table-fixed border-separate border-spacing-0 text-sm">
        <thead>
          <tr>
            <th scope="col" className={`${head} w-28 sm:w-40`}>
              Field
            </th>
            <th scope="col" className={head}>
              This record
            </th>
            <th scope="col" className={head}>
              This report
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ field, label, own, said, edited }) => (
            <tr key={field} className={edited ? 'bg-accent-soft/50' : ''}>
              <th scope="row" className={`${cell} font-medium`}>
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  {label}
                  {edited && <Badge tone="info">Edited</Badge>}
                </span>
              </th>
              <td className={cell}>
                <Value text={own} label={`${label} of this record`} />
              </td>
              <td className={cell}>
                <div className="flex flex-wrap items-start justify-between gap-2">
                  {own === said ? (
                    <span className="text-muted">Same</span>
                  ) : (
                    <Value text={said} label={`${label} in this report`} />
                  )}
                  {edited && onTakeBack !== undefined && (
                    <Button
                      size="sm"
                      aria-label={`Take back ${label}`}
                      icon={<Undo2 aria-hidden size={14} />}
                      busy={busy}
                      disabledReason={refusal}
                      onClick={() => onTakeBack(field)}
                    >
                      Take back
                    </Button>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Value = ({ text, label }: { text: string; label: string }) => (
  <Prose text={text === notAvailable ? '' : text} label={label} />
);
