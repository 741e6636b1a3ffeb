import { ChevronDown, ChevronUp } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { CopyButton } from '../button/copy-button.tsx';
import { Drawer } from '../dialog/drawer.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { IconButton } from '../button/icon-button.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';

interface RecordPeekProps<Detail> {
  /** Record whose panel is open. */
  id: string | undefined;
  /** Records of the page, in order: the panel goes from one to the next. */
  ids: readonly string[];
  onId: (id: string | undefined) => void;
  /** React Query's result. */
  query: {
    readonly data: Detail | undefined;
    readonly error: unknown;
    readonly isFetching: boolean;
    refetch(): unknown;
  };
  title: (detail: Detail) => string;
  failure: string;
  /** The way to the row's page; it has the focus at first, so that Enter goes on. */
  page: ReactNode;
  focus: RefObject<HTMLElement | null>;
  /** What else can be done. */
  actions: ReactNode;
  children: (detail: Detail) => ReactNode;
}

/** The essentials of a row beside its list; the row's page has the rest. */
export function RecordPeek<Detail>({
  id,
  ids,
  onId,
  query,
  title,
  failure,
  page,
  focus,
  actions,
  children,
}: RecordPeekProps<Detail>) {
  const { data, error } = query;
  const place = id === undefined ? -1 : ids.indexOf(id);
  const before = place > 0 ? ids[place - 1] : undefined;
  const after = place === -1 ? undefined : ids[place + 1];
  return (
    <Drawer
      open={id !== undefined}
      onOpenChange={(open) => !open && onId(undefined)}
      title={data === undefined ? 'Loading…' : title(data)}
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
      initialFocus={focus}
      footer={
        <div className="flex flex-wrap items-center gap-2">
          {page}
          {actions}
          {id !== undefined && <CopyButton text={id} label="Copy ID" variant="ghost" />}
        </div>
      }
    >
      {data === undefined && error !== null && (
        <ErrorState
          title={failure}
          error={error}
          busy={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {data === undefined && error === null && (
        <div aria-hidden className="flex flex-col gap-4 p-5">
          {['40%', '70%', '55%', '65%', '45%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </div>
      )}
      {data !== undefined && <div className="px-1">{children(data)}</div>}
    </Drawer>
  );
}
