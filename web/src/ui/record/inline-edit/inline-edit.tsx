import type { Field } from '@riskboard/contract';
import { useRef, useState, type ReactNode } from 'react';
import type { Entity } from '../../../lib/entity/entity.ts';
import { fieldLabel, inSentence } from '../../../lib/entity/field-text.ts';
import { holdRow, releaseRow } from '../../../lib/list/held-rows.ts';
import { useRefusal } from '../../../lib/session/use-refusal.ts';
import { idlePart } from '../../layout/idle-part.tsx';
import type { InlineEditorProps } from './inline-editor.tsx';
import type { EditedRecord } from './refused-change.ts';

const { Part: InlineEditor, useIdleLoad } = idlePart<InlineEditorProps>(
  async () => (await import('./inline-editor.tsx')).InlineEditor,
  null,
);

interface InlineEditProps {
  entity: Entity;
  record: EditedRecord;
  /** Field of the entity. */
  name: string;
  /** The value as it is shown. */
  children: ReactNode;
}

/** The value of a field; when the field table allows it and the user may, a click on it opens an editor. */
export function InlineEdit({ entity, record, name, children }: InlineEditProps) {
  const field = entity.fields[name];
  const refusal = useRefusal(entity.calls.update.access);
  // The preview of a new record has no version until the server has answered.
  const isEditable = field?.inlineEdit !== undefined && refusal === undefined && record.version > 0;
  if (!isEditable) return children;
  return (
    <EditableValue entity={entity} record={record} name={name} field={field}>
      {children}
    </EditableValue>
  );
}

function EditableValue({ entity, record, name, field, children }: InlineEditProps & { field: Field }) {
  const [open, setOpen] = useState(false);
  const trigger = useRef<HTMLButtonElement>(null);
  useIdleLoad();

  function onOpen(next: boolean): void {
    setOpen(next);
    // While it is edited, the row does not move.
    if (next) holdRow(record._id);
    else releaseRow(record._id);
  }

  return (
    <>
      <button
        ref={trigger}
        type="button"
        data-inline-edit={name}
        title={`Change ${inSentence(fieldLabel(entity.fields, name))}`}
        aria-haspopup={field.type === 'number' || field.type === 'integer' ? 'dialog' : 'menu'}
        aria-expanded={open}
        onClick={() => onOpen(!open)}
        className="-mx-1 inline-flex min-h-6 min-w-8 items-center rounded px-1 text-left outline-offset-0 hover:bg-hover hover:ring-1 hover:ring-line-strong aria-expanded:bg-hover aria-expanded:ring-1 aria-expanded:ring-line-strong"
      >
        {children}
      </button>
      {open && (
        <InlineEditor
          entity={entity}
          record={record}
          name={name}
          field={field}
          anchor={trigger}
          onClose={() => onOpen(false)}
        />
      )}
    </>
  );
}
