import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { pagesOf, type Entity, type PageNoun } from '../../lib/entity/entity.ts';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { WithdrawnBadge } from '../badge/badge.tsx';
import { LinkButton } from '../button/link-button.tsx';

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
    readonly withdrawn: 'revoked' | 'deprecated' | null;
  };
}

/** Name of a record in a list, with the link to its page. */
export function NameCell({ noun, row: { _id, name, withdrawn } }: NameCellProps) {
  return (
    <span className="flex max-w-[56ch] min-w-36 flex-wrap items-center gap-x-2 gap-y-1">
      <Link
        to={pagesOf(noun).detail}
        params={{ id: _id }}
        title={name}
        className="line-clamp-2 font-medium wrap-anywhere hover:text-accent-text hover:underline"
      >
        {name}
      </Link>
      <WithdrawnBadge withdrawn={withdrawn} />
    </span>
  );
}
