import { useState } from 'react';
import { Field } from '../../input/field.tsx';
import { idlePart } from '../../layout/idle-part.tsx';
import { useField } from '../use-field.ts';
import type { ProjectOption, ProjectPickerProps } from './project-picker.tsx';
import { useProjectName } from './use-project-name.ts';

const { Part: ProjectPicker } = idlePart<ProjectPickerProps>(
  async () => (await import('./project-picker.tsx')).ProjectPicker,
  <div className="h-9" />,
);

interface ProjectFieldProps {
  /** Name of the project that a saved asset has. */
  name?: string | undefined;
  /** Shown while no project is chosen. */
  placeholder?: string;
}

/** The project of an asset; it can be removed unless the form requires one. */
export function ProjectField({ name, placeholder }: ProjectFieldProps) {
  const { id, label, required, value, error, locked, set, leave } = useField<string>();
  const [first] = useState(value);
  const [chosen, setChosen] = useState<ProjectOption>();
  const isKnown = value === '' || chosen?._id === value || (value === first && name !== undefined);
  // A project that the address or another user's edit names.
  const loaded = useProjectName(isKnown ? null : value);
  const nameNow = chosen?._id === value ? chosen.name : value === first && name !== undefined ? name : loaded;
  return (
    <Field label={label} error={error} required={required}>
      <ProjectPicker
        id={id}
        value={value === '' ? null : { _id: value, name: nameNow ?? '' }}
        onChange={(project) => {
          setChosen(project);
          set(project._id);
        }}
        {...(!required && { onClear: () => set('') })}
        onBlur={leave}
        disabled={locked !== undefined}
        required={required}
        placeholder={placeholder}
      />
    </Field>
  );
}
