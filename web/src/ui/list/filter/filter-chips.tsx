import { formatTotal } from '@riskboard/domain';
import { X } from 'lucide-react';
import { focusPeer } from '../../../lib/browser/page-focus.ts';
import { cleared, filterOf, filterText, withFilter, filteredFields } from '../../../lib/list/list-filter.ts';
import { changed } from '../../../lib/list/list-state.ts';
import { Button } from '../../button/button.tsx';
import type { ListControl } from '../list-control.ts';
import { FilterPopover } from './filter-buttons.tsx';

interface Total {
  total: number;
  totalIsCapped?: true | undefined;
}

const totalText = ({ total, totalIsCapped }: Total) => formatTotal(total, totalIsCapped);

interface FilterChipsProps {
  list: ListControl;
  /** Labels of the extra filters by name. */
  extraLabels: Readonly<Record<string, string>>;
  /** Number of matching rows; undefined while unknown. */
  total: Total | undefined;
  /** Number of rows without any filter. */
  all: Total | undefined;
  /** Moves the focus to a control that stays when the chips disappear. */
  onCleared: () => void;
}

const chip =
  'inline-flex h-7 max-w-full min-w-0 items-center rounded-full bg-accent-soft text-sm text-accent-text';
const labelStyle = 'max-w-full truncate rounded-full py-0.5 pr-1 pl-3';

/** Chips of the active filters to edit and remove them, with matching and total row counts. */
export function FilterChips({ list, extraLabels, total, all, onCleared }: FilterChipsProps) {
  const { view, state, onState } = list;
  const { fields, extra, text } = narrowing(list, extraLabels);
  if (fields.length + extra.length === 0 && text === '') return null;
  return (
    <section
      data-peers=""
      aria-label="Active filters"
      className="flex flex-wrap items-center gap-2 border-b px-4 py-2 text-sm"
    >
      {extra.map(({ name, label }) => (
        <span key={name} className={chip}>
          <span className={labelStyle}>{label}</span>
          <Remove
            label={label}
            onClick={() => onState(changed(state, { [name]: undefined }))}
            onCleared={onCleared}
          />
        </span>
      ))}
      {fields.map((name) => {
        const field = view.fields[name];
        if (field === undefined) return null;
        const label = filterText(name, field, { filter: filterOf(state, name), labelOf: view.labelOf });
        return (
          <span key={name} className={chip}>
            <FilterPopover
              list={list}
              name={name}
              trigger={
                <button type="button" className={`${labelStyle} hover:underline`}>
                  {label}
                </button>
              }
            />
            <Remove
              label={label}
              onClick={() => onState(withFilter(state, name, { values: [] }))}
              onCleared={onCleared}
            />
          </span>
        );
      })}
      <Button
        size="sm"
        variant="ghost"
        onClick={() => {
          onState(cleared(view.fields, state, view.extra));
          onCleared();
        }}
      >
        Clear all
      </Button>
      <span className="grow" />
      {total !== undefined && (
        <span className="text-muted tabular-nums">
          {all !== undefined && `${totalText(total)} of `}
          {totalText(all ?? total)} {(all ?? total).total === 1 ? view.nouns.one : view.nouns.many}
        </span>
      )}
    </section>
  );
}

interface RemoveProps {
  label: string;
  onClick: () => void;
  onCleared: () => void;
}

function Remove({ label, onClick, onCleared }: RemoveProps) {
  return (
    <button
      type="button"
      aria-label={`Remove filter ${label}`}
      data-peer=""
      onClick={(event) => {
        onClick();
        focusPeer(event.currentTarget, onCleared);
      }}
      className="mr-1 flex size-6 shrink-0 items-center justify-center rounded-full hover:bg-hover"
    >
      <X aria-hidden size={14} />
    </button>
  );
}

/** Active filters of a list: its fields, the extra filters with their labels, and the search. */
function narrowing({ view, state }: ListControl, extraLabels: Readonly<Record<string, string>>) {
  return {
    fields: filteredFields(view.fields, state),
    extra: view.extra
      .filter((name) => state[name] !== undefined)
      .map((name) => ({ name, label: extraLabels[name] ?? name })),
    text: state.search,
  };
}

/** 'Nothing matches “log4” with Severity: Critical and File: a.json.'; empty without search and filters. */
export function narrowingText(list: ListControl, extraLabels: Readonly<Record<string, string>>): string {
  const { fields, extra, text } = narrowing(list, extraLabels);
  const named = fields.flatMap((name) => {
    const field = list.view.fields[name];
    if (field === undefined) return [];
    return filterText(name, field, { filter: filterOf(list.state, name), labelOf: list.view.labelOf });
  });
  const filters = [...extra.map(({ label }) => label), ...named].join('; ');
  if (text === '') return filters === '' ? '' : `Nothing matches ${filters}.`;
  return filters === '' ? `Nothing matches “${text}”.` : `Nothing matches “${text}” with ${filters}.`;
}
