import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState, type ComponentType, type ReactNode } from 'react';
import { isMissing } from '../../lib/api/errors.ts';
import { downloadRecord } from '../../lib/browser/save-as.ts';
import { useNamedPage } from '../../lib/browser/page-name.ts';
import {
  isImportable,
  pagesOf,
  type DetailOf,
  type Entity,
  type ImportableRecord,
} from '../../lib/entity/entity.ts';
import { useDelete } from '../../lib/entity/deletions.ts';
import { detailQuery } from '../../lib/entity/queries.ts';
import { useRememberedRecord } from '../../lib/session/recent-records.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { ButtonWithReason } from '../button/button-with-reason.tsx';
import { Button } from '../button/button.tsx';
import { CopyButton } from '../button/copy-button.tsx';
import { DetailColumns } from '../layout/detail-columns.tsx';
import { lazyPart, reserved } from '../layout/lazy-part.tsx';
import { PageHeader } from '../layout/page-header.tsx';
import { RecordProvider, useRecord } from './facts.tsx';
import { InlineConflictHost } from './inline-edit/inline-conflict-host.tsx';
import { RecordCommands } from './record-commands.tsx';
import { EditLink } from './record-links.tsx';
import { DeletedPage, RecordFailed, RecordLoading } from './record-status.tsx';
import { SourcesCard } from './sources-card.tsx';

interface RecordPageProps<E extends Entity> {
  entity: E;
  id: string;
  /** Below the name. */
  Badges: (props: { detail: DetailOf<E> }) => ReactNode;
  /** Beside the rest where there is room, before it on narrow screens. */
  Facts: (props: { detail: DetailOf<E> }) => ReactNode;
  children: (detail: DetailOf<E>) => ReactNode;
  /** Buttons before those of every record. */
  Actions?: (props: { detail: DetailOf<E> }) => ReactNode;
  /** Asks before the deletion; absent: the record is deleted at once, with Undo. */
  DeleteDialog?: ComponentType<DeleteDialogProps>;
}

/** A dialog that names what a deletion deletes. */
export interface DeleteDialogProps {
  record: { readonly _id: string; readonly name: string };
  onClose: () => void;
  /** Deletes the record. */
  onConfirm: () => void;
}

/** The page of one record: its header with actions, facts at the side, and the content of the entity. */
export function RecordPage<E extends Entity>({
  entity,
  id,
  Badges,
  Facts,
  children,
  Actions,
  DeleteDialog,
}: RecordPageProps<E>) {
  const query = useQuery(detailQuery<E>(entity, id));
  const record = query.data;
  useNamedPage(record?.name);
  useRememberedRecord(record && { noun: entity.noun, _id: record._id, title: record.name });
  if (record === undefined && query.error !== null) return <RecordFailed entity={entity} query={query} />;
  if (record === undefined) return <RecordLoading />;
  // Without its parts, which would be requested again in vain after every change.
  if (isMissing(query.error)) {
    const list = { to: pagesOf(entity.noun).list, label: `All ${entity.many}` };
    return <DeletedPage entity={entity} name={record.name} list={list} />;
  }
  return (
    <RecordProvider entity={entity} record={record}>
      <PageHeader
        title={record.name}
        description={
          <span className="mt-1 flex flex-wrap items-center gap-2">
            <Badges detail={record} />
          </span>
        }
        actions={
          <>
            {Actions !== undefined && <Actions detail={record} />}
            <RecordActions DeleteDialog={DeleteDialog} />
          </>
        }
      />
      <DetailColumns side={<Facts detail={record} />}>{children(record)}</DetailColumns>
      <InlineConflictHost />
    </RecordProvider>
  );
}

function RecordActions({ DeleteDialog }: Pick<RecordPageProps<Entity>, 'DeleteDialog'>) {
  const [asking, setAsking] = useState(false);
  const { entity, record } = useRecord();
  const { _id: id } = record;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useDelete(entity);
  // The list shows the outcome: the row has left it, and comes again with the error if that fails.
  function deleteAndLeave(): void {
    remove.mutate(id);
    void navigate({ to: pagesOf(entity.noun).list });
  }
  const requestDeletion = DeleteDialog === undefined ? deleteAndLeave : () => setAsking(true);
  return (
    <>
      <RecordCommands entity={entity} record={record} onDelete={requestDeletion} />
      {DeleteDialog !== undefined && asking && (
        <DeleteDialog record={record} onClose={() => setAsking(false)} onConfirm={deleteAndLeave} />
      )}
      <CopyButton text={id} label="Copy ID" />
      <Button
        icon={<Download aria-hidden size={14} />}
        onClick={() => void downloadRecord(() => queryClient.fetchQuery(detailQuery(entity, id)))}
      >
        Download
      </Button>
      <ButtonWithReason
        icon={<Trash2 aria-hidden size={14} />}
        busy={remove.isPending}
        disabledReason={useRefusal(entity.calls.delete.access)}
        onClick={requestDeletion}
      >
        Delete
      </ButtonWithReason>
      <EditLink entity={entity} id={id} primary />
    </>
  );
}

/** The record around it, its related assets, the records related to those, and those that reports relate to it; `label` names the card. */
export const RecordGraph = lazyPart(
  async () => (await import('./record-graph.tsx')).RecordGraph,
  reserved('h-162'),
);

/** What the reports say about an imported record; marks of edited fields lead here. Nothing for other records. */
export function RecordSources() {
  const { entity, record } = useRecord();
  if (!isImportable(entity) || !(record as ImportableRecord).imported) return null;
  return (
    <div id="sources" className="scroll-mt-18">
      <SourcesCard />
    </div>
  );
}
