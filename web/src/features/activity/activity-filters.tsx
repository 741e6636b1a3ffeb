import { activityNouns } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { Select } from '../../ui/select.tsx';
import type { ActivitySearch } from './activity-search.ts';
import { DayField } from './day-field.tsx';
import { personOf } from './person.ts';
import { activityFacetsQuery } from './queries.ts';
import { actionLabel, nounLabel } from './sentence.ts';

interface ActivityFiltersProps {
  search: ActivitySearch;
  onFilter: (change: Partial<ActivitySearch>) => void;
  /** Name of the thing that the log is narrowed to. */
  thing: string;
}

const any = 'any';

interface Item {
  value: string;
  label: string;
}

/** The choices in the order of their words; one that is chosen stands among them even if the log has none of it. */
function itemsOf(all: string, items: readonly Item[], chosen: Item | undefined): Item[] {
  const missing = chosen !== undefined && !items.some(({ value }) => value === chosen.value);
  const sorted = [...items, ...(missing ? [chosen] : [])].toSorted((a, b) => a.label.localeCompare(b.label));
  return [{ value: any, label: all }, ...sorted];
}

const personItem = (value: string, text: string): Item => {
  const { name, email } = personOf(text);
  return { value, label: email === '' ? name : `${name} (${email})` };
};

/** Who, what and when. */
export function ActivityFilters({ search, onFilter, thing }: ActivityFiltersProps) {
  const { data: facets } = useQuery(activityFacetsQuery);
  const { actorId, noun, action, nounId, from, to } = search;
  const chosen = (value: string) => (value === any ? undefined : value);
  const actions = facets?.action.filter((entry) => noun === undefined || entry.noun === noun) ?? [];

  return (
    <>
      <Select
        label="Who"
        hideLabel
        items={itemsOf(
          'Anybody',
          facets?.actorId.map(({ value, label }) => personItem(value, label)) ?? [],
          actorId === undefined ? undefined : { value: actorId, label: 'One person' },
        )}
        value={actorId ?? any}
        onChange={(value) => onFilter({ actorId: chosen(value) })}
      />
      <Select
        label="Area"
        hideLabel
        items={itemsOf(
          'Any area',
          facets?.noun.map(({ value }) => ({ value, label: nounLabel(value) })) ?? [],
          noun === undefined ? undefined : { value: noun, label: nounLabel(noun) },
        )}
        value={noun ?? any}
        onChange={(value) =>
          onFilter({ noun: activityNouns.find((known) => known === value), action: undefined })
        }
      />
      <Select
        label="Action"
        hideLabel
        items={itemsOf(
          'Any action',
          actions.map(({ value }) => ({ value, label: actionLabel(value) })),
          action === undefined ? undefined : { value: action, label: actionLabel(action) },
        )}
        value={action ?? any}
        onChange={(value) => onFilter({ action: chosen(value) })}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <DayField label="From" value={from} max={to} onChange={(day) => onFilter({ from: day })} />
        <DayField label="To" value={to} min={from} onChange={(day) => onFilter({ to: day })} />
      </div>
      {nounId !== undefined && (
        <FilterChip
          label={thing === '' ? 'One thing' : `About ${thing}`}
          onRemove={() => onFilter({ nounId: undefined })}
        />
      )}
    </>
  );
}
