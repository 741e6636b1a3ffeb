import { Combobox } from '@base-ui/react/combobox';
import { ChevronDown, X } from 'lucide-react';
import { projects } from '@riskboard/contract';
import { useState } from 'react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { OptionPopup } from './option-popup.tsx';
import { useOptionSearch } from './use-option-search.ts';

/** A project as the picker shows it. */
export interface ProjectOption {
  readonly _id: string;
  readonly name: string;
}

export interface ProjectPickerProps {
  id?: string;
  value: ProjectOption | null;
  onChange: (project: ProjectOption) => void;
  /** Removes the project; without it a project can only be replaced. */
  onClear?: () => void;
  onBlur?: () => void;
  disabled?: boolean;
  required?: boolean;
  placeholder?: string | undefined;
}

const iconButton =
  'flex size-8.5 shrink-0 items-center justify-center rounded text-muted hover:text-text' as const;

/** Option of a list without projects. Its tab keeps the input of the form. */
const createProject: ProjectOption = { _id: '', name: 'Create a project (opens in a new tab)' };

/** Base UI would remove the project and its name; here Escape closes the list, then the dialog. */
function keepsOnEscape(details: Combobox.Root.ChangeEventDetails): boolean {
  if (details.reason !== 'escape-key') return false;
  details.cancel();
  details.allowPropagation();
  return true;
}

/** Chooses one project by name, searched on the server, or offers to create one. Must be inside a `Field`. */
export function ProjectPicker({
  id,
  value,
  onChange,
  onClear,
  onBlur,
  disabled = false,
  required = false,
  placeholder = 'Search projects',
}: ProjectPickerProps) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const search = useOptionSearch('projects', { text, open });
  const canCreate = useRefusal(projects.create.access) === undefined;
  const isEmpty = search.found.length === 0 && !search.busy && search.error === null;
  const found = search.found.map(({ _id, name }): ProjectOption => ({ _id, name }));
  const options = isEmpty && canCreate ? [createProject] : found;

  return (
    <Combobox.Root
      items={options}
      filter={null}
      value={value}
      onValueChange={(next: ProjectOption | null, details) => {
        if (keepsOnEscape(details)) return;
        if (next === null) onClear?.();
        else if (next !== createProject) onChange(next);
        else {
          details.cancel();
          window.open(pagesOf('projects').create, '_blank', 'noopener');
        }
      }}
      onInputValueChange={(next, details) => {
        if (!keepsOnEscape(details)) setText(details.reason === 'input-change' ? next : '');
      }}
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
        {!disabled && onClear !== undefined && (
          <Combobox.Clear aria-label="Remove the project" className={iconButton}>
            <X aria-hidden size={14} />
          </Combobox.Clear>
        )}
        {!disabled && (
          <Combobox.Trigger aria-label="Show projects" className={iconButton}>
            <ChevronDown aria-hidden size={14} />
          </Combobox.Trigger>
        )}
      </Combobox.InputGroup>
      <OptionPopup noun="project" search={search} text={text} />
    </Combobox.Root>
  );
}
