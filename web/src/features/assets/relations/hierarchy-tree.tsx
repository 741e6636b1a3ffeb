import { assetTypes } from '@riskboard/domain';
import { useQueries } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Spinner } from '../../../ui/feedback/spinner.tsx';
import { hierarchyQuery } from './queries.ts';
import { actionOf, rowsOf, type Child, type TreeRow } from './tree-rows.ts';

/** Levels that are indented further; deeper ones show their number. */
const mostIndented = 12;
const indentPixels = 20;

interface HierarchyTreeProps {
  label: string;
  /** The first level. */
  root: readonly Child[];
}

/** What an asset depends on, level by level; a level is loaded when it is expanded (ARIA, Tree View). */
export function HierarchyTree({ label, root }: HierarchyTreeProps) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  const [activeKey, setActiveKey] = useState<string>();
  const tree = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const ids = [...new Set([...expanded].map((key) => key.slice(key.lastIndexOf('/') + 1)))];
  const levels = useQueries({ queries: ids.map((id) => hierarchyQuery(id)) });
  const levelOf = new Map(ids.map((id, index) => [id, levels[index]]));
  const rows = rowsOf(root, expanded, (id) => levelOf.get(id)?.data?.children);
  const active = rows.find(({ key }) => key === activeKey) ?? rows[0];

  function toggle(keys: readonly string[], open: boolean): void {
    const next = new Set(expanded);
    for (const key of keys) {
      if (open) next.add(key);
      else next.delete(key);
    }
    setExpanded(next);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey || active === undefined) return;
    // A button in the row takes its own keys.
    if (event.target !== event.currentTarget) return;
    const action = actionOf(rows, active, event.key);
    if (action === undefined) return;
    event.preventDefault();
    // Other shortcuts of the page use the same keys.
    event.stopPropagation();
    if ('expand' in action)
      toggle(
        action.expand.map(({ key }) => key),
        true,
      );
    else if ('collapse' in action) toggle([action.collapse.key], false);
    else if ('open' in action)
      void navigate({ to: pagesOf('assets').detail, params: { id: action.open.asset._id } });
    else {
      setActiveKey(action.move.key);
      tree.current?.querySelectorAll<HTMLElement>('[role=treeitem]')[rows.indexOf(action.move)]?.focus();
    }
  }

  return (
    <div ref={tree} role="tree" aria-label={label} className="max-h-96 overflow-y-auto p-2">
      {rows.map((row) => {
        const level = row.isExpanded ? levelOf.get(row.asset._id) : undefined;
        return (
          <Row
            key={row.key}
            row={row}
            isActive={row === active}
            isLoading={level?.isPending === true && !level.isError}
            onRetry={level?.isError === true ? () => void level.refetch() : undefined}
            onToggle={() => toggle([row.key], !row.isExpanded)}
            onFocus={() => setActiveKey(row.key)}
            onKeyDown={onKeyDown}
          />
        );
      })}
    </div>
  );
}

interface RowProps {
  row: TreeRow;
  /** The row that Tab reaches. */
  isActive: boolean;
  isLoading: boolean;
  /** Present when its children failed to load. */
  onRetry: (() => void) | undefined;
  onToggle: () => void;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

function Row({ row, isActive, isLoading, onRetry, onToggle, onFocus, onKeyDown }: RowProps) {
  const { asset, level, position, siblings, isExpanded } = row;
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={asset.childCount === 0 ? undefined : isExpanded}
      aria-busy={isLoading}
      tabIndex={isActive ? 0 : -1}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      style={{ paddingLeft: Math.min(level - 1, mostIndented) * indentPixels }}
      className="flex min-h-8 items-center gap-1.5 rounded pr-2 text-sm -outline-offset-2 hover:bg-hover"
    >
      {asset.childCount === 0 ? (
        <span className="w-6 shrink-0" />
      ) : (
        // The arrow keys do the same: a second Tab stop in each row would be in the way.
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          onClick={onToggle}
          className="flex size-6 shrink-0 items-center justify-center rounded text-muted hover:text-text"
        >
          {isLoading ? (
            <Spinner />
          ) : (
            <ChevronRight size={14} className={`transition-transform ${isExpanded ? 'rotate-90' : ''}`} />
          )}
        </button>
      )}
      <Link
        to={pagesOf('assets').detail}
        params={{ id: asset._id }}
        tabIndex={-1}
        title={asset.name}
        className="min-w-0 truncate font-medium hover:text-accent-text hover:underline"
      >
        {asset.name}
      </Link>
      {onRetry !== undefined && (
        <span className="flex shrink-0 items-center gap-2 text-danger">
          Failed to load asset hierarchy
          <Button
            size="sm"
            onClick={(event) => {
              onRetry();
              event.currentTarget.closest<HTMLElement>('[role=treeitem]')?.focus();
            }}
          >
            Retry
          </Button>
        </span>
      )}
      <span className="ml-auto shrink-0 text-xs text-muted">
        {level > mostIndented && `Level ${level} · `}
        {assetTypes[asset.assetTypeId as keyof typeof assetTypes]}
      </span>
    </div>
  );
}
