import { plural } from '@riskboard/domain';
import type { ProjectDeletion } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { quoted } from '../../../lib/format/name-text.ts';
import { Skeleton } from '../../../ui/feedback/skeleton.tsx';
import { AlertDialog } from '../../../ui/dialog/alert-dialog.tsx';
import type { DeleteDialogProps } from '../../../ui/record/record-page.tsx';
import { projectDeletionQuery } from '../queries.ts';

/** Asks before a project is deleted, with the counts of what goes with it and of what stays. */
export function DeleteProject({ record, onClose, onConfirm }: DeleteDialogProps) {
  const { data, error } = useQuery(projectDeletionQuery(record._id));
  const [open, setOpen] = useState(true);
  return (
    <AlertDialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (!next) onClose();
      }}
      title={`Delete ${quoted(record.name)}?`}
      description="Its assets are deleted with it. You can undo this for 10 seconds."
      confirmLabel="Delete project"
      danger
      onConfirm={onConfirm}
    >
      {error !== null && data === undefined ? (
        <p className="text-sm text-danger">The counts of what is deleted could not be loaded.</p>
      ) : (
        <Counts counts={data} />
      )}
    </AlertDialog>
  );
}

const both = (first: string, second: string): string => `${first} and ${second}`;

function Counts({ counts }: { counts: ProjectDeletion | undefined }) {
  const deleted = counts && [
    plural(counts.assets, 'asset'),
    plural(counts.dependencies, 'dependency', 'dependencies'),
    plural(
      counts.relations,
      'relation to threats and vulnerabilities',
      'relations to threats and vulnerabilities',
    ),
  ];
  const kept =
    counts &&
    both(
      plural(counts.threats, 'related threat'),
      plural(counts.vulnerabilities, 'related vulnerability', 'related vulnerabilities'),
    );
  return (
    <dl className="mt-1 grid min-h-24 grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm tabular-nums">
      <dt className="text-muted">Deleted</dt>
      <dd>
        {deleted === undefined ? (
          <Skeleton width="70%" />
        ) : (
          <ul>
            {deleted.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </dd>
      <dt className="text-muted">Kept</dt>
      <dd>{kept ?? <Skeleton width="60%" />}</dd>
    </dl>
  );
}
