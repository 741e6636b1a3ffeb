import { notAvailable, type ListField } from '@riskboard/contract';
import { formatCount, formatTotal } from '@riskboard/domain';
import { useDeferredValue, useState } from 'react';
import { containsText } from '../../../lib/format/contains-text.ts';
import type { FieldFilter } from '../../../lib/list/list-filter.ts';
import { Button } from '../../button/button.tsx';
import { Skeleton } from '../../feedback/skeleton.tsx';
import { Checkbox } from '../../input/checkbox.tsx';
import { inputStyle } from '../../input/input-style.ts';
import type { ListControl } from '../list-control.ts';
import { useFacet, type Facet } from './use-facet.ts';

interface ChoiceFilterProps {
  list: ListControl;
  name: string;
  field: ListField;
  filter: FieldFilter;
  onFilter: (filter: FieldFilter) => void;
}

/** Number of values from which on a search field is shown. */
const searchFrom = 8;
/** Values that a popup opens with, more than it has room for. A hundred at once take longer than a frame. */
const shownFirst = 16;

/** Values of a field with their counts, and a checkbox for all listed values. */
export function ChoiceFilter({ list, name, field, filter, onFilter }: ChoiceFilterProps) {
  const [text, setText] = useState('');
  // The server knows values, not their labels, so declared values are searched here.
  const search = field.values === undefined ? text : '';
  const { facet, pending, error, refetch } = useFacet(list, name, search);
  const chosen = filter.values;
  const labelOf = (value: string) => list.view.labelOf(name, value);
  // Declared values are shown at once, and their counts follow.
  const waiting = pending && field.values === undefined;
  const known = choicesOf({ field, facet, chosen, labelOf });
  const shown = matching(known, text);
  const rows = shown.slice(0, Math.max(shownFirst, useDeferredValue(shown.length, 0)));
  const change = (values: readonly string[]) => onFilter({ ...filter, values });

  function toggleAll(checked: boolean): void {
    const values = new Set(shown.map(({ value }) => value));
    const others = chosen.filter((value) => !values.has(value));
    change(checked ? [...others, ...values] : others);
  }

  if (error !== null && facet === undefined) {
    return (
      <div role="alert" className="flex items-center justify-between gap-3 p-3 text-sm text-danger">
        Failed to load the values.
        <Button size="sm" onClick={refetch}>
          Retry
        </Button>
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-col">
      {(known.length >= searchFrom || text !== '' || facet?.more === true) && (
        <div className="px-3 pb-2">
          <input
            type="search"
            aria-label={`Search ${field.label}`}
            placeholder="Search values"
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={`${inputStyle} h-8`}
          />
        </div>
      )}
      {waiting && <Pending />}
      {!waiting && shown.length > 1 && (
        <div className="border-b px-3 pb-1">
          <Checkbox
            label={text === '' ? 'All' : 'All matching values'}
            checked={allChecked(shown, chosen)}
            onChange={toggleAll}
          />
        </div>
      )}
      {!waiting && (
        <ul aria-label={`Values of ${field.label}`} className="max-h-72 overflow-y-auto py-1">
          {rows.map((choice) => (
            <ChoiceRow
              key={choice.value}
              choice={choice}
              isCapped={facet?.isCapped === true}
              checked={chosen.includes(choice.value)}
              onChange={(checked) =>
                change(checked ? [...chosen, choice.value] : chosen.filter((value) => value !== choice.value))
              }
            />
          ))}
        </ul>
      )}
      {!waiting && shown.length === 0 && (
        <p className="px-3 py-2 text-sm text-muted">
          {text === '' ? 'No values.' : `No value contains “${text}”.`}
        </p>
      )}
      {facet?.isCapped === true && (
        <p className="border-t px-3 py-2 text-xs text-muted">Only the newest rows are counted.</p>
      )}
      {facet?.more === true && (
        <p className="border-t px-3 py-2 text-xs text-muted">
          The {formatCount(facet.values.length)} most frequent values. Search for others.
        </p>
      )}
    </div>
  );
}

interface ChoiceRowProps {
  choice: Choice;
  /** Not all rows were counted. */
  isCapped: boolean;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function ChoiceRow({ choice: { label, count }, isCapped, checked, onChange }: ChoiceRowProps) {
  return (
    <li className="flex items-center justify-between gap-3 px-3 py-0.5 hover:bg-hover">
      <Checkbox label={label} checked={checked} onChange={onChange} />
      {count !== null && (
        <span className="text-sm text-muted tabular-nums">
          {isCapped && count === 0 ? '' : formatTotal(count, isCapped)}
        </span>
      )}
    </li>
  );
}

function Pending() {
  return (
    <div aria-hidden className="flex flex-col gap-3 px-3 py-2">
      {['60%', '45%', '70%', '50%'].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  );
}

/** A value of a filter; `count` is null when unknown. */
interface Choice {
  readonly value: string;
  readonly label: string;
  readonly count: number | null;
}

interface Known {
  field: ListField;
  facet: Facet | undefined;
  /** Chosen values, which stay listed even when no row has them. */
  chosen: readonly string[];
  labelOf: (value: string) => string;
}

/** Declared values in order, then others by frequency; `N/A` last, when there are rows without a value. */
export function choicesOf({ field, facet, chosen, labelOf }: Known): Choice[] {
  const counts = new Map(facet?.values.map(({ value, count }) => [value, count]));
  const labels = new Map(facet?.values.map(({ value, label }) => [value, label]));
  const declared = field.values ?? [];
  const values = new Set([...declared, ...counts.keys(), ...chosen]);
  values.delete(notAvailable);
  const plain = [...values].map((value) => ({
    value,
    label: labels.get(value) ?? labelOf(value),
    count: facet === undefined || field.uncounted?.includes(value) ? null : (counts.get(value) ?? 0),
  }));
  const empty = { value: notAvailable, label: notAvailable, count: counts.get(notAvailable) ?? null };
  const offered = empty.count !== null || chosen.includes(notAvailable);
  return offered ? [...plain, empty] : plain;
}

/** Choices whose label or value contains the text. */
export const matching = (choices: readonly Choice[], text: string): Choice[] =>
  choices.filter(({ label, value }) => containsText(`${label} ${value}`, text));

/** `checked` of the checkbox for all listed values. */
export function allChecked(choices: readonly Choice[], chosen: readonly string[]): boolean | 'mixed' {
  const count = choices.filter(({ value }) => chosen.includes(value)).length;
  if (count === 0) return false;
  return count === choices.length ? true : 'mixed';
}
