import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { recordPages } from '../../lib/record-pages.ts';
import type { RecordNoun } from '../../lib/record-queries.ts';
import { Tooltip } from '../popup/tooltip.tsx';

interface EditedMarkProps {
  label: string;
  noun: RecordNoun;
  id: string;
}

/** Says that a person changed a field which reports speak of, and leads to what they say. */
export function EditedMark({ label, noun, id }: EditedMarkProps) {
  return (
    <Tooltip content="Changed by a person. See what the reports say.">
      <Link
        to={recordPages[noun]}
        params={{ id }}
        hash="sources"
        aria-label={`Edited: ${label}`}
        className="inline-flex h-5 items-center gap-1 rounded-full bg-info-soft px-2 text-xs font-medium text-info hover:underline"
      >
        <Pencil aria-hidden size={10} />
        Edited
      </Link>
    </Tooltip>
  );
}
