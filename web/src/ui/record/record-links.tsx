import type { withdrawalLabels } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { pagesOf, type Entity, type PageNoun } from '../../lib/entity/entity.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { WithdrawnBadge } from '../badge/badge.tsx';
import { LinkButton } from '../button/link-button.tsx';
import { Tooltip } from '../popup/tooltip.tsx';

interface EditLinkProps {
  entity: Entity;
  id: string;
  primary?: boolean;
  label?: string;
}

/** Leads to the form of a record. */
export function EditLink({ entity, id, primary = false, label = 'Edit' }: EditLinkProps) {
  return (
    <LinkButton
      to={pagesOf(entity.noun).edit}
      params={{ id }}
      variant={primary ? 'primary' : 'secondary'}
      icon={<Pencil aria-hidden size={14} />}
      disabledReason={useRefusal(entity.calls.update.access)}
    >
      {label}
    </LinkButton>
  );
}

interface NameCellProps {
  noun: PageNoun;
  row: {
    readonly _id: string;
    readonly name: string;
    /** Absent for entities that reports do not withdraw. */
    readonly withdrawn?: keyof typeof withdrawalLabels | null;
  };
  /** Identifiers and kind of the record, below the name; empty ones and those in the name are left out. */
  about?: readonly string[];
}

const nothing: readonly string[] = [];

/**
 * Name of a record in a list, with the link to its page, on up to two lines. A cut name is shown
 * in full on hover and focus. In compact rows, what is known about the record follows the name.
 */
export function NameCell({ noun, row: { _id, name, withdrawn = null }, about = nothing }: NameCellProps) {
  const more = about.filter((text) => text !== '' && !name.includes(text));
  return (
    <span className="flex min-w-0 flex-col group-data-[density=compact]/table:flex-row group-data-[density=compact]/table:items-baseline group-data-[density=compact]/table:gap-2">
      <span className="flex min-w-0 items-center gap-2">
        <Tooltip content={name} onlyWhenCut>
          <Link
            to={pagesOf(noun).detail}
            params={{ id: _id }}
            className="line-clamp-2 leading-5 font-medium wrap-anywhere whitespace-normal group-data-[density=compact]/table:line-clamp-1 hover:text-accent-text hover:underline"
          >
            {name}
          </Link>
        </Tooltip>
        <WithdrawnBadge withdrawn={withdrawn} />
      </span>
      {more.length > 0 && (
        <span className="truncate text-xs text-muted group-data-[density=compact]/table:shrink-0">
          {more.join(' · ')}
        </span>
      )}
    </span>
  );
}
