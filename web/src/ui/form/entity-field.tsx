import type { Field as FieldFacts } from '@riskboard/contract';
import { useId, type ReactNode } from 'react';
import type { Entity } from '../../lib/entity/entity.ts';
import { AssetsField } from './controls/assets-field.tsx';
import { CheckboxField } from './controls/checkbox-field.tsx';
import { DayField } from './controls/day-field.tsx';
import { NumberField } from './controls/number-field.tsx';
import { ProseField } from './controls/prose-field.tsx';
import { ScaleField } from './controls/scale-field.tsx';
import { SelectField, type SelectItem } from './controls/select-field.tsx';
import { TagsField } from './controls/tags-field.tsx';
import { TextField } from './controls/text-field.tsx';
import { VectorField } from './controls/vector-field.tsx';
import { FieldProvider, useFormState } from './form-context.ts';

/** The values of a field that a select offers. */
export const itemsOf = (field: FieldFacts): SelectItem[] =>
  'labels' in field ? Object.entries(field.labels).map(([value, label]) => ({ value, label })) : [];

type PlacedField = FieldFacts & { form: NonNullable<FieldFacts['form']> };

const Select = ({ field }: { field: PlacedField }) => (
  <SelectField items={itemsOf(field)} hint={field.form.hint} blank={field.form.blankLabel} />
);

/** The control of a field, by its type and by `form.control`. */
function Control({ field }: { field: PlacedField }): ReactNode {
  const { hint, placeholder, control, rows } = field.form;
  if (control === 'vector') return <VectorField />;
  if (control === 'segmented') return <ScaleField items={itemsOf(field)} hint={hint} />;
  switch (field.type) {
    case 'text':
      return <TextField hint={hint} placeholder={placeholder} code={control === 'code'} />;
    case 'prose':
      return <ProseField hint={hint} rows={rows} />;
    case 'number':
      return <NumberField {...field} hint={hint} placeholder={placeholder} />;
    case 'integer':
      return <NumberField {...field} hint={hint} placeholder={placeholder} />;
    case 'flag':
      return <CheckboxField hint={hint} />;
    case 'day':
      return <DayField hint={hint} />;
    case 'tags':
      return <TagsField hint={hint} placeholder={placeholder} format={field.format} />;
    case 'relations':
      return <AssetsField hint={hint} />;
    default:
      return <Select field={field} />;
  }
}

interface FieldProps {
  name: string;
  /** Instead of the control that the field table names. */
  children?: ReactNode;
}

/** A field of the form: label, control, hint and error, as the field table says. */
export function Field({ name, children }: FieldProps) {
  const field = useFormState().entity.fields[name];
  if (field?.form === undefined) throw new Error(`The form has no field "${name}".`);
  const control = (
    <FieldProvider value={name}>{children ?? <Control field={field as PlacedField} />}</FieldProvider>
  );
  return field.form.wide ? <div className="col-span-full">{control}</div> : control;
}

interface FormSectionProps<E extends Pick<Entity, 'fields' | 'sections'>> {
  name: keyof E['sections'] & string;
  /** Fields that come first. The section's other fields follow in the order of the field table. */
  order?: readonly (keyof E['fields'] & string)[];
  /** Controls of fields whose own control is not enough. */
  controls?: Readonly<Partial<Record<keyof E['fields'] & string, ReactNode>>>;
}

/**
 * A section of the form with all of its fields, in two columns where there is room. With the entity's names checked:
 * `const Section = FormSection<typeof threat>`.
 */
export function FormSection<E extends Pick<Entity, 'fields' | 'sections'>>({
  name,
  order,
  controls,
}: FormSectionProps<E>) {
  const id = useId();
  const { entity } = useFormState();
  const { title, description } = entity.sections[name] ?? { title: name };
  const fields = Object.keys(entity.fields).filter((field) => entity.fields[field]?.form?.section === name);
  const names = [...new Set<string>([...(order ?? []), ...fields])];
  const given: Readonly<Record<string, ReactNode>> = { ...controls };
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 gap-x-8 gap-y-4 border-t px-4 py-6 first:border-t-0 sm:px-6 lg:grid-cols-[200px_minmax(0,1fr)]"
    >
      <header>
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        {description !== undefined && <p className="mt-1 text-sm text-muted">{description}</p>}
      </header>
      <div className="grid min-w-0 grid-cols-1 items-start gap-x-4 gap-y-5 sm:grid-cols-2">
        {names.map((field) => (
          <Field key={field} name={field}>
            {given[field]}
          </Field>
        ))}
      </div>
    </section>
  );
}
