import { formatCount, plural } from '@riskboard/domain';
import { ArrowUpRight, X } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { IconButton } from '../button/icon-button.tsx';
import { Badge } from '../badge/badge.tsx';
import { Empty } from '../text/empty.tsx';
import { KindShape } from './kind-shape.tsx';
import { graphKinds, valueText, type GraphNode } from './kinds.ts';
import { otherEnd, relationOf, type GraphModel } from './model.ts';

interface PeekProps {
  node: GraphNode;
  model: GraphModel;
  /** Absent when the record has no page or its page is open. */
  onOpen?: (() => void) | undefined;
  /** Called when a neighbor is chosen. */
  onPick: (node: GraphNode) => void;
  onClose: () => void;
  /** Additional details from the page. */
  details?: ReactNode;
}

/** Number of neighbors listed; the rest is a count. */
const mostNamed = 12;

/** Panel with a node's details over the graph. It leaves the zoom controls below it and, on phones, the selected node free. */
export function Peek({ node, model, onOpen, onPick, onClose, details }: PeekProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const edges = model.at.get(node._id) ?? [];
  const { one, scale, most } = graphKinds[node.kind];
  const { label: severity, tone } = model.coloring.bandOf(node);
  const value = valueText(node);
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label={`${one}: ${node.name}`}
      className="absolute inset-x-3 top-3 z-10 flex max-h-[45%] flex-col rounded border bg-raised shadow-raised outline-none sm:left-auto sm:max-h-[calc(100%-72px)] sm:w-75"
    >
      <header className="flex items-start gap-2 border-b py-2 pr-2 pl-4">
        <div className="min-w-0 grow py-1">
          <p className="flex items-center gap-1.5 text-xs text-muted">
            <KindShape kind={node.kind} />
            {one}
            {node.centre && ' · this record'}
          </p>
          <h3 className="text-base font-semibold wrap-anywhere">{node.name}</h3>
        </div>
        <IconButton label="Close" size="sm" icon={<X aria-hidden size={14} />} onClick={onClose} />
      </header>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-4 py-3 text-sm">
        <dl className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1.5">
          <dt className="text-muted">{scale}</dt>
          <dd className="text-right tabular-nums">{value === '' ? <Empty /> : `${value} / ${most}`}</dd>
          {value !== '' && (
            <>
              <dt className="text-muted">{model.coloring.bandName(node.kind)}</dt>
              <dd>
                <Badge tone={tone}>{severity}</Badge>
              </dd>
            </>
          )}
        </dl>
        {details}
        <div>
          <p className="pb-1 text-muted">{plural(edges.length, 'relation')}</p>
          <ul>
            {edges.slice(0, mostNamed).map((edge, index) => {
              const other = otherEnd(edge, node);
              return (
                // oxlint-disable-next-line react/no-array-index-key -- two records may be related twice
                <li key={`${other._id} ${index}`}>
                  <button
                    type="button"
                    onClick={() => onPick(other)}
                    className="flex min-h-7 w-full items-center gap-2 rounded px-1 text-left hover:bg-hover"
                  >
                    <KindShape kind={other.kind} />
                    <span className="min-w-0 grow truncate">{other.name}</span>
                    <span className="shrink-0 text-xs text-muted">{relationOf(edge, node)}</span>
                  </button>
                </li>
              );
            })}
          </ul>
          {edges.length > mostNamed && (
            <p className="px-1 pt-1 text-xs text-muted">and {formatCount(edges.length - mostNamed)} more</p>
          )}
        </div>
      </div>
      {onOpen !== undefined && (
        <footer className="border-t px-4 py-3">
          <Button size="sm" icon={<ArrowUpRight aria-hidden size={14} />} onClick={onOpen}>
            Open {one.toLowerCase()}
          </Button>
        </footer>
      )}
    </section>
  );
}
