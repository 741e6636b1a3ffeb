import { organizations, type Organization } from '@riskboard/contract';
import { lazy, Suspense, useState } from 'react';
import { useRefusal } from '../../lib/session/use-refusal.ts';
import { Button } from '../../ui/button/button.tsx';
import { Card } from '../../ui/layout/card.tsx';

// Comes with the first question.
const DeleteDialog = lazy(async () => ({ default: (await import('./delete-dialog.tsx')).DeleteDialog }));

/** The end of the organisation. */
export function DeleteCard({ organization }: { organization: Organization }) {
  const refusal = useRefusal(organizations.delete.access);
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Delete">
      <div className="flex flex-col items-start gap-3 p-4">
        <p className="text-muted">
          Deletes the organization and everything in it, for every member. This cannot be undone.
        </p>
        <Button variant="danger" disabledReason={refusal} onClick={() => setAsking(true)}>
          Delete organization
        </Button>
      </div>
      <Suspense>
        {asking && <DeleteDialog organization={organization} onClose={() => setAsking(false)} />}
      </Suspense>
    </Card>
  );
}
