import { projects } from '@riskboard/contract';
import { Combobox } from '@base-ui/react/combobox';
import { formatCount } from '@riskboard/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';
import { Field } from '../../../ui/input/field.tsx';

interface Option {
  readonly _id: string;
  readonly name: string;
}

interface ProjectPickerProps {
  label: string;
  hint: string;
  /** Id of the project; null when none is chosen. */
  value: string | null;
  onChange: (id: string | null) => void;
  isLocked: boolean;
}

/** Projects whose name contains the text, sorted by name. Sends no request while the list is closed. */
function useProjectSearch(text: string, isOpen: boolean) {
  const search = useDebounced(text).trim();
  const query = { page: 1, pageSize: 50, sort: 'name', ...(search !== '' && { search }) };
  return useQuery({
    queryKey: ['projects', 'list', query],
    queryFn: ({ signal }) => call(projects.list, { query, signal }),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  });
}

/** Name of the chosen project, also after a reload of the page. */
function useProjectName(id: string | null): string {
  const { data, error } = useQuery({
    queryKey: ['projects', 'detail', id],
    queryFn: ({ signal }) => call(projects.get, { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
  });
  if (error !== null) return 'Deleted project';
  return data?.name ?? '…';
}

/** One project by name, searched on the server; it can be removed again. */
export function ProjectPicker({ label, hint, value, onChange, isLocked }: ProjectPickerProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const { data, error, isFetching } = useProjectSearch(text, open);
  const name = useProjectName(value);
  const chosen: Option | null = value === null ? null : { _id: value, name };
  const options: Option[] = (data?.projects ?? []).map(({ _id, name: title }) => ({ _id, name: title }));
  const more = (data?.total ?? 0) - options.length;

  return (
    <Field label={label} hint={hint}>
      <Combobox.Root
        items={options}
        filter={null}
        value={chosen}
        onValueChange={(next: Option | null) => onChange(next?._id ?? null)}
        onInputValueChange={(typed, { reason }) => setText(reason === 'input-change' ? typed : '')}
        open={open}
        onOpenChange={(next) => setOpen(next && !isLocked)}
        itemToStringLabel={(option: Option) => option.name}
        isItemEqualToValue={(a: Option, b: Option) => a._id === b._id}
        readOnly={isLocked}
      >
        <Combobox.InputGroup className="flex h-9 items-center rounded border border-line-strong bg-surface focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus">
          <Combobox.Input
            placeholder="Search projects"
            className="h-full w-0 grow bg-transparent px-3 text-base outline-none"
          />
          <Combobox.Clear
            aria-label="Remove the project"
            className="flex size-8 shrink-0 items-center justify-center rounded text-muted hover:text-text"
          >
            <X aria-hidden size={14} />
          </Combobox.Clear>
          <Combobox.Trigger
            aria-label="Show projects"
            className="flex size-8 shrink-0 items-center justify-center rounded text-muted hover:text-text"
          >
            <ChevronDown aria-hidden size={14} />
          </Combobox.Trigger>
        </Combobox.InputGroup>
        <Combobox.Portal>
          <Combobox.Positioner sideOffset={4} className="z-50">
            <Combobox.Popup
              aria-busy={isFetching || undefined}
              className="w-(--anchor-width) max-w-(--available-width) rounded border bg-raised shadow-raised outline-none"
            >
              <Combobox.Status className="px-3 py-2 text-sm text-muted empty:hidden">
                {error !== null && 'Failed to load projects.'}
                {error === null && options.length === 0 && (isFetching ? 'Searching…' : 'No projects found.')}
              </Combobox.Status>
              <Combobox.List className="max-h-48 overflow-y-auto overscroll-contain p-1 empty:hidden">
                {(option: Option) => (
                  <Combobox.Item
                    key={option._id}
                    value={option}
                    className="grid min-h-8 cursor-default grid-cols-[16px_1fr] items-center gap-2 rounded px-2 text-base outline-none select-none data-highlighted:bg-hover"
                  >
                    <Combobox.ItemIndicator className="col-start-1">
                      <Check aria-hidden size={14} />
                    </Combobox.ItemIndicator>
                    <span className="col-start-2 truncate">{option.name}</span>
                  </Combobox.Item>
                )}
              </Combobox.List>
              {more > 0 && (
                <p className="border-t px-3 py-2 text-sm text-muted">
                  {formatCount(more)} more. Type to narrow the list.
                </p>
              )}
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </Field>
  );
}
