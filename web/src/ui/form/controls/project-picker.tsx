import { projects } from '@riskboard/contract';
import { formatCount } from '@riskboard/domain';
import { Combobox } from '@base-ui/react/combobox';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Check, ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../lib/api/call.ts';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';

/** A project as the picker shows it. */
export interface ProjectOption {
  readonly _id: string;
  readonly name: string;
}

export interface ProjectPickerProps {
  id: string;
  value: ProjectOption | null;
  onChange: (project: ProjectOption) => void;
  onBlur?: () => void;
  disabled?: boolean;
  required?: boolean;
  placeholder?: string | undefined;
}

/** Projects whose name or description contains the text, sorted by name. Sends no request while the list is closed. */
function useProjectSearch(text: string, open: boolean) {
  const search = useDebounced(text).trim();
  const query = { page: 1, pageSize: 50, sort: 'name', ...(search !== '' && { search }) };
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['projects', 'list', query],
    queryFn: ({ signal }) => call(projects.list, { query, signal }),
    placeholderData: keepPreviousData,
    enabled: open,
  });
  return {
    found: data?.projects ?? [],
    total: data?.total ?? 0,
    error,
    /** The projects found do not belong to the text yet. */
    busy: search !== text.trim() || (isFetching && (data === undefined || isPlaceholderData)),
  };
}

/** Chooses one project by name, searched on the server. Must be inside a `Field`. */
export function ProjectPicker({
  id,
  value,
  onChange,
  onBlur,
  disabled = false,
  required = false,
  placeholder = 'Search projects',
}: ProjectPickerProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const { found, total, error, busy } = useProjectSearch(text, open);
  const options = found.map(({ _id, name }): ProjectOption => ({ _id, name }));
  const more = total - found.length;

  return (
    <Combobox.Root
      items={options}
      filter={null}
      value={value}
      onValueChange={(next: ProjectOption | null) => next !== null && onChange(next)}
      onInputValueChange={(next, { reason }) => setText(reason === 'input-change' ? next : '')}
      open={open}
      onOpenChange={(next) => setOpen(next && !disabled)}
      itemToStringLabel={(project: ProjectOption) => project.name}
      isItemEqualToValue={(a: ProjectOption, b: ProjectOption) => a._id === b._id}
      readOnly={disabled}
    >
      <Combobox.InputGroup
        data-readonly={disabled ? '' : undefined}
        className="flex h-9 items-center rounded border border-line-strong bg-surface transition-colors data-readonly:bg-hover data-readonly:text-muted focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus has-data-invalid:border-danger"
      >
        <Combobox.Input
          id={id}
          onBlur={onBlur}
          placeholder={placeholder}
          aria-required={required || undefined}
          className="h-full w-0 min-w-20 grow bg-transparent px-3 text-base outline-none"
        />
        {!disabled && (
          <Combobox.Trigger
            aria-label="Show projects"
            className="flex size-8.5 shrink-0 items-center justify-center rounded text-muted hover:text-text"
          >
            <ChevronDown aria-hidden size={14} />
          </Combobox.Trigger>
        )}
      </Combobox.InputGroup>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={4} className="z-50">
          <Combobox.Popup
            aria-busy={busy || undefined}
            className="w-(--anchor-width) max-w-(--available-width) rounded border bg-raised shadow-raised outline-none"
          >
            <Combobox.Status className="px-3 py-2 text-sm text-muted empty:hidden">
              {statusOf({ busy, error, empty: options.length === 0, text })}
            </Combobox.Status>
            <Combobox.List className="max-h-64 overflow-y-auto overscroll-contain p-1 empty:hidden">
              {(project: ProjectOption) => (
                <Combobox.Item
                  key={project._id}
                  value={project}
                  className="grid min-h-8 cursor-default grid-cols-[16px_1fr] items-center gap-2 rounded px-2 text-base outline-none select-none data-highlighted:bg-hover"
                >
                  <Combobox.ItemIndicator className="col-start-1">
                    <Check aria-hidden size={14} />
                  </Combobox.ItemIndicator>
                  <span className="col-start-2 truncate">{project.name}</span>
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
  );
}

interface SearchState {
  busy: boolean;
  error: unknown;
  empty: boolean;
  text: string;
}

function statusOf({ busy, error, empty, text }: SearchState): string | null {
  if (error !== null) return 'Failed to load projects.';
  if (busy) return 'Searching…';
  if (!empty) return null;
  return text.trim() === '' ? 'No projects found.' : `No project matches “${text.trim()}”.`;
}
