import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Maximize2, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { isMissing } from '../../../lib/api/errors.ts';
import { useIsDeleted } from '../../../lib/entity/deleted-records.ts';
import { pagesOf, type DetailOf, type Entity } from '../../../lib/entity/entity.ts';
import { capitalized } from '../../../lib/entity/messages.ts';
import { detailQuery } from '../../../lib/entity/queries.ts';
import { useDebounced } from '../../../lib/hooks/use-debounced.ts';
import { useLast } from '../../../lib/hooks/use-last.ts';
import { useMedia } from '../../../lib/hooks/use-media.ts';
import { CopyButton } from '../../button/copy-button.tsx';
import { IconButton } from '../../button/icon-button.tsx';
import { LinkButton } from '../../button/link-button.tsx';
import { Drawer } from '../../dialog/drawer.tsx';
import { ErrorState } from '../../feedback/error-state.tsx';
import { SidePane } from '../../layout/side-pane.tsx';
import type { PaneProps } from '../../list/list-page.tsx';
import { Facts, RecordProvider } from '../facts.tsx';
import { FieldTexts } from '../field-facts.tsx';
import { ChangedNotice } from './changed-notice.tsx';
import { RecordCommands } from '../record-commands.tsx';
import { EditLink } from '../record-links.tsx';
import { PeekLoading, RecordDeleted, loadingFailed } from '../record-status.tsx';
import { focusRow, usePeekKeys } from './peek-keys.ts';

interface RecordPeekProps<E extends Entity> extends PaneProps {
  entity: E;
  /** Fields among the children. */
  fields: readonly string[];
  /** `Fact`s. */
  children: (record: DetailOf<E>) => ReactNode;
}

/** Screens where the list has room beside the pane; on narrower ones the pane takes the page. */
const wide = '(min-width: 64rem)';

/** Milliseconds for which a row must be the current one before its record is loaded. */
const rest = 120;

/** The essentials of a record beside its list, which stays usable: J and K in the list move it. */
export function RecordPeek<E extends Entity>({
  entity,
  id,
  rows,
  onId,
  fields,
  children,
}: RecordPeekProps<E>) {
  const isBeside = useMedia(wide);
  // The closing sheet keeps showing its record.
  const shownId = useLast(id);
  const pageLink = useRef<HTMLAnchorElement>(null);
  const index = id === undefined ? -1 : rows.findIndex(({ _id }) => _id === id);
  const neighbors = index === -1 ? [] : [rows[index - 1]?._id, rows[index + 1]?._id];
  const query = usePeekedRecord<E>(entity, shownId, neighbors);
  const { data: record, error } = query;
  const isDeleted = useIsDeleted(id);
  const close = () => onId(undefined);

  // Deleted in this window: a toast says so, and offers Undo.
  useEffect(() => {
    if (isDeleted) onId(undefined);
  });
  usePeekKeys({ id: isBeside ? id : undefined, onClose: close });

  if (shownId === undefined || (isBeside && id === undefined)) return null;
  const placeholder = error === null ? 'Loading…' : capitalized(entity.one);
  const title = record?.name ?? rows.find(({ _id }) => _id === shownId)?.name ?? placeholder;
  const position =
    index === -1 ? 'Not on this page of the list' : `Row ${index + 1} of ${rows.length} on this page`;
  const noRecord = isMissing(error);
  const wasDeleted = record !== undefined && noRecord;

  const moves = [
    { label: 'Previous row', icon: <ChevronUp aria-hidden size={16} />, to: neighbors[0] },
    { label: 'Next row', icon: <ChevronDown aria-hidden size={16} />, to: neighbors[1] },
  ].map(({ label, icon, to }) => (
    <IconButton
      key={label}
      label={label}
      // A tooltip would take the Escape that closes the pane.
      quiet
      title={label}
      icon={icon}
      disabled={to === undefined}
      onClick={() => to !== undefined && onId(to)}
    />
  ));
  const footer = noRecord ? undefined : (
    <div className="flex flex-wrap items-center gap-2">
      <LinkButton
        ref={pageLink}
        to={pagesOf(entity.noun).detail}
        params={{ id: shownId }}
        variant="primary"
        icon={<Maximize2 aria-hidden size={14} />}
      >
        Open full page
      </LinkButton>
      <EditLink entity={entity} id={shownId} />
      <CopyButton text={shownId} label="Copy ID" variant="ghost" />
    </div>
  );
  const content = (
    // A new record starts at its top, with its empty fields collapsed.
    <div key={shownId} className="px-1 pb-4">
      {wasDeleted && <RecordDeleted entity={entity} />}
      {record === undefined && error !== null && (
        <ErrorState
          title={loadingFailed(entity)}
          error={error}
          busy={query.isFetching}
          {...(!noRecord && { onRetry: () => void query.refetch() })}
        />
      )}
      {record === undefined && error === null && <PeekLoading />}
      {record !== undefined && !wasDeleted && (
        <RecordProvider entity={entity} record={record}>
          <RecordCommands entity={entity} record={record} />
          <ChangedNotice record={record} />
          <Facts fields={fields}>{children(record)}</Facts>
          <div className="border-t">
            <FieldTexts names={['description']} />
          </div>
        </RecordProvider>
      )}
    </div>
  );

  if (!isBeside) {
    return (
      <Drawer
        open={id !== undefined}
        onOpenChange={(open) => !open && close()}
        title={title}
        back="Back to the list"
        actions={moves}
        initialFocus={pageLink}
        onClosed={() => focusRow(shownId)}
        footer={footer}
      >
        {content}
      </Drawer>
    );
  }
  return (
    <SidePane
      title={title}
      subtitle={<p className="text-sm text-muted tabular-nums">{position}</p>}
      actions={
        <>
          {moves}
          <IconButton
            label="Close"
            quiet
            icon={<X aria-hidden size={16} />}
            onClick={() => {
              focusRow(shownId);
              close();
            }}
          />
        </>
      }
      footer={footer}
    >
      <output className="sr-only">{`${title}. ${wasDeleted ? 'It was deleted' : position}.`}</output>
      {content}
    </SidePane>
  );
}

/**
 * The record of the pane. While rows are passed quickly, only records that are known already show at once; the neighbors
 * of a record that stays are loaded in advance.
 */
function usePeekedRecord<E extends Entity>(
  entity: E,
  id: string | undefined,
  neighbors: readonly (string | undefined)[],
) {
  const queryClient = useQueryClient();
  const settled = useDebounced(id, rest);
  const isSettled = id !== undefined && settled === id;
  const query = useQuery({ ...detailQuery<E>(entity, id ?? ''), enabled: isSettled });
  const isLoaded = isSettled && query.data !== undefined;
  const near = neighbors.filter((one) => one !== undefined).join(' ');

  useEffect(() => {
    if (!isLoaded || near === '') return;
    for (const neighbor of near.split(' ')) void queryClient.prefetchQuery(detailQuery<E>(entity, neighbor));
  }, [queryClient, entity, isLoaded, near]);

  return query;
}
