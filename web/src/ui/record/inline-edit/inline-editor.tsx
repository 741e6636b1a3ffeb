import type { Field } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type FormEvent, type RefObject } from 'react';
import { pagesOf, type Entity } from '../../../lib/entity/entity.ts';
import { fieldLabel } from '../../../lib/entity/field-text.ts';
import { problemsBy } from '../../../lib/entity/form-values.ts';
import { numberOf, numberText } from '../../../lib/entity/number-text.ts';
import { loadSchemas } from '../../../lib/load-schemas.ts';
import { Button } from '../../button/button.tsx';
import { loneLinkStyle } from '../../button/link-style.ts';
import { Input } from '../../input/input.tsx';
import { AnchoredMenu, MenuRadioGroup } from '../../popup/menu.tsx';
import { AnchoredPopover } from '../../popup/anchored-popover.tsx';
import { changeField } from './change-field.ts';
import { valueOf, type EditedRecord } from './refused-change.ts';

export interface InlineEditorProps {
  entity: Entity;
  record: EditedRecord;
  name: string;
  field: Field;
  /** The value that the editor opens at; it receives the focus afterwards. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
}

/**
 * The editor of one field: a menu of its values, or an input. It changes the version that it opened at, so that a value
 * that another user saves meanwhile is a conflict.
 */
export function InlineEditor(shown: InlineEditorProps) {
  const [record] = useState(shown.record);
  const props = { ...shown, record };
  const { field } = props;
  const overriding = field.inlineEdit?.overriddenBy;
  const other = overriding === undefined ? undefined : valueOf(record, overriding);
  if (overriding !== undefined && other !== '' && other !== null && other !== undefined)
    return <Overridden {...props} by={overriding} />;
  return 'labels' in field ? <Choices {...props} /> : <NumberEditor {...props} />;
}

/** Saves a value that differs from the saved one. */
function useSave({ entity, record, name, onClose }: InlineEditorProps): (value: unknown) => void {
  const queryClient = useQueryClient();
  return (value) => {
    const before = valueOf(record, name);
    if ((before ?? '') !== value) void changeField(queryClient, { entity, record, name, value, before });
    onClose();
  };
}

/** A chosen label's value as a request sends it. */
function sentOf({ type }: Field, value: string): unknown {
  if (type === 'flag') return value === 'true';
  return (type === 'code' || type === 'scale') && value !== '' ? Number(value) : value;
}

/** The item of a menu that a value is: its text, '' for none. */
const shownOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

function Choices(props: InlineEditorProps) {
  const { entity, record, name, field, anchor, onClose } = props;
  const save = useSave(props);
  const labels = 'labels' in field ? Object.entries<string>(field.labels) : [];
  const blank = field.form?.blankLabel;
  const items = labels.map(([value, label]) => ({ value, label }));
  return (
    <AnchoredMenu anchor={anchor} onClose={onClose}>
      <MenuRadioGroup
        label={fieldLabel(entity.fields, name)}
        items={blank === undefined ? items : [...items, { value: '', label: blank }]}
        value={shownOf(valueOf(record, name))}
        onChange={(value) => save(sentOf(field, value))}
      />
    </AnchoredMenu>
  );
}

/** What the form's section says about a field that may stay blank. */
const sectionText = ({ sections }: Entity, { form, required }: Field): string =>
  required === true || form === undefined ? '' : (sections[form.section]?.description ?? '');

function NumberEditor(props: InlineEditorProps) {
  const { entity, record, name, field, anchor, onClose } = props;
  const input = useRef<HTMLInputElement>(null);
  const save = useSave(props);
  const [text, setText] = useState(() => numberText((valueOf(record, name) ?? null) as number | null));
  const [problem, setProblem] = useState<string>();
  const label = fieldLabel(entity.fields, name);
  const range = 'min' in field && 'max' in field ? `${field.min} to ${field.max}` : '';
  const hint = field.form?.hint ?? range;
  const explanation = sectionText(entity, field);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const value = numberOf(text);
    const schemas = await loadSchemas();
    const problems =
      schemas === undefined ? {} : problemsBy(entity.form.schemaOf(schemas), { [name]: value });
    const found = problems[name];
    setProblem(found);
    if (found === undefined) save(value);
    else input.current?.focus();
  }

  return (
    <AnchoredPopover
      label={`${label} of ${record.name}`}
      anchor={anchor}
      onClose={onClose}
      initialFocus={input}
    >
      <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-2 p-3">
        <Input
          ref={input}
          label={label}
          hint={`${hint}.`}
          error={problem}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={setText}
        />
        {explanation !== '' && <p className="text-sm text-muted">{explanation}</p>}
        <div className="flex justify-end gap-2">
          <Button size="sm" variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" type="submit" variant="primary">
            Save
          </Button>
        </div>
      </form>
    </AnchoredPopover>
  );
}

/** Instead of an editor without effect: why, and where the value is decided. */
function Overridden({ entity, record, name, anchor, onClose, by }: InlineEditorProps & { by: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  const field = entity.fields[name];
  const text = field === undefined ? '' : sectionText(entity, field);
  const other = fieldLabel(entity.fields, by);
  return (
    <AnchoredPopover
      label={`${fieldLabel(entity.fields, name)} of ${record.name}`}
      anchor={anchor}
      onClose={onClose}
      initialFocus={link}
    >
      <div className="flex flex-col items-start gap-2 p-3 text-sm">
        <p>
          This score comes from the {other}. {text}
        </p>
        <Link ref={link} to={pagesOf(entity.noun).edit} params={{ id: record._id }} className={loneLinkStyle}>
          Edit the {other}
        </Link>
      </div>
    </AnchoredPopover>
  );
}
