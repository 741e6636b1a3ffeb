import type { Field } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { CircleDot, Copy, Download, Link as LinkIcon, Pencil, Trash2, Waypoints } from 'lucide-react';
import { copyText } from '../../lib/browser/copy-text.ts';
import { useCommands, type Command } from '../../lib/browser/commands.ts';
import { downloadRecord } from '../../lib/browser/save-as.ts';
import { pagesOf, type Entity } from '../../lib/entity/entity.ts';
import { useDelete } from '../../lib/entity/deletions.ts';
import { detailQuery } from '../../lib/entity/queries.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { toast } from '../feedback/toast.ts';
import { changeField } from './inline-edit/change-field.ts';
import { valueOf, type EditedRecord } from './inline-edit/refused-change.ts';

interface RecordCommandsProps {
  entity: Entity;
  record: EditedRecord;
  /** Deletes the record; absent: at once, with Undo. */
  onDelete?: () => void;
}

/** Values that one command sets: those of a status, which always has one. */
function statusValues(field: Field): readonly (readonly [value: unknown, label: string])[] {
  if (field.bulk !== true || field.notNull !== true) return [];
  if (field.type === 'choice') return Object.entries(field.labels);
  if (field.type !== 'flag') return [];
  return Object.entries(field.labels).map(([value, label]) => [value === 'true', label]);
}

async function copy(text: string, what: string): Promise<void> {
  if (await copyText(text)) toast.success(`${what} copied`);
  else toast.error('Copy failed', 'The browser blocked it. Select the text and copy it manually.');
}

/** Offers the actions on a shown record in the palette. */
export function RecordCommands({ entity, record, onDelete }: RecordCommandsProps) {
  const { _id: id, name } = record;
  const queryClient = useQueryClient();
  const router = useRouter();
  const { mutate: remove } = useDelete(entity);
  const noEdit = useRefusal(entity.calls.update.access);
  const noDelete = useRefusal(entity.calls.delete.access);
  const pages = pagesOf(entity.noun);
  const edit = () => void router.navigate({ to: pages.edit, params: { id } });

  const changes = Object.entries<Field>(entity.fields).flatMap(([field, one]) =>
    statusValues(one)
      .filter(([value]) => value !== valueOf(record, field))
      .map(([value, label]) => ({
        id: `set ${field} ${label}`,
        label: `Change ${one.label.toLowerCase()} to ${label}`,
        terms: 'set mark status',
        icon: <CircleDot aria-hidden size={16} />,
        refusal: noEdit,
        run: () =>
          void changeField(queryClient, {
            entity,
            record,
            name: field,
            value,
            before: valueOf(record, field),
          }),
      })),
  );
  const commands: Omit<Command, 'group' | 'about'>[] = [
    {
      id: 'edit record',
      label: `Edit ${entity.one}`,
      terms: 'change form',
      icon: <Pencil aria-hidden size={16} />,
      refusal: noEdit,
      run: edit,
    },
    ...changes,
    ...('relatedAssets' in entity.fields
      ? [
          {
            id: 'relate assets',
            label: 'Relate assets',
            terms: 'link add',
            icon: <Waypoints aria-hidden size={16} />,
            refusal: noEdit,
            run: edit,
          },
        ]
      : []),
    {
      id: 'copy link',
      label: 'Copy link',
      terms: 'url address share',
      icon: <LinkIcon aria-hidden size={16} />,
      run: () => void copy(`${location.origin}${pages.detail.replace('$id', id)}`, 'Link'),
    },
    {
      id: 'copy id',
      label: 'Copy ID',
      terms: 'identifier',
      icon: <Copy aria-hidden size={16} />,
      run: () => void copy(id, 'ID'),
    },
    {
      id: 'download record',
      label: `Download ${entity.one}`,
      terms: 'json save export',
      icon: <Download aria-hidden size={16} />,
      run: () => void downloadRecord(() => queryClient.fetchQuery(detailQuery(entity, id))),
    },
    {
      id: 'delete record',
      label: `Delete ${entity.one}`,
      terms: 'remove trash',
      icon: <Trash2 aria-hidden size={16} />,
      refusal: noDelete,
      run: onDelete ?? (() => remove(id)),
    },
  ];
  useCommands(commands.map((command) => ({ ...command, group: 'This record', about: name })));
  return null;
}
