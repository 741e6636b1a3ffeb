import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Maximize2 } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import {
  pagesOf,
  type DetailOf,
  type ImportableEntity,
  type ImportableRecord,
} from '../../lib/entity/entity.ts';
import { detailQuery } from '../../lib/entity/queries.ts';
import { useLast } from '../../lib/hooks/use-last.ts';
import { CopyButton } from '../button/copy-button.tsx';
import { IconButton } from '../button/icon-button.tsx';
import { LinkButton } from '../button/link-button.tsx';
import { Drawer } from '../dialog/drawer.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { Facts, RecordProvider } from './facts.tsx';
import { FieldTexts } from './field-facts.tsx';
import { EditLink } from './record-links.tsx';
import { loadingFailed } from './record-status.tsx';

interface RecordPeekProps<E extends ImportableEntity> {
  entity: E;
  /** Record whose panel is open; undefined: the panel is closed. */
  id: string | undefined;
  /** Records of the list's page, in order: the panel goes from one to the next. */
  ids: readonly string[];
  onId: (id: string | undefined) => void;
  /** Fields among the children. */
  fields: readonly string[];
  /** `Fact`s. */
  children: (record: DetailOf<E>) => ReactNode;
}

/** A panel with the essentials of a record, beside its list. */
export function RecordPeek<E extends ImportableEntity>({
  entity,
  id,
  ids,
  onId,
  fields,
  children,
}: RecordPeekProps<E>) {
  // The closing panel keeps showing its record.
  const shownId = useLast(id);
  const pageLink = useRef<HTMLAnchorElement>(null);
  const query = useQuery({ ...detailQuery<E>(entity, shownId ?? ''), enabled: shownId !== undefined });
  const { data: record, error } = query;
  const index = id === undefined ? -1 : ids.indexOf(id);
  const before = index > 0 ? ids[index - 1] : undefined;
  const after = index === -1 ? undefined : ids[index + 1];
  return (
    <Drawer
      open={id !== undefined}
      onOpenChange={(open) => !open && onId(undefined)}
      title={record === undefined ? 'Loading…' : record.name}
      width={480}
      actions={
        <>
          <IconButton
            label="Previous row"
            icon={<ChevronUp aria-hidden size={16} />}
            disabled={before === undefined}
            onClick={() => onId(before)}
          />
          <IconButton
            label="Next row"
            icon={<ChevronDown aria-hidden size={16} />}
            disabled={after === undefined}
            onClick={() => onId(after)}
          />
        </>
      }
      initialFocus={pageLink}
      footer={
        shownId !== undefined && (
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
        )
      }
    >
      {record === undefined && error !== null && (
        <ErrorState
          title={loadingFailed(entity)}
          error={error}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {record === undefined && error === null && (
        <div aria-hidden className="flex flex-col gap-4 p-5">
          {['40%', '70%', '55%', '65%', '45%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      )}
      {record !== undefined && (
        <div className="px-1">
          <RecordProvider entity={entity} record={record as unknown as ImportableRecord}>
            <Facts fields={fields}>{children(record)}</Facts>
            <div className="border-t">
              <FieldTexts names={['description']} />
            </div>
          </RecordProvider>
        </div>
      )}
    </Drawer>
  );
}
