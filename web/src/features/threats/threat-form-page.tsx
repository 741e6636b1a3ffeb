import { useQuery } from '@tanstack/react-query';
import { threatQuery } from '../../lib/record-queries.ts';
import { RecordFailed } from '../../ui/record/record-failed.tsx';
import { RecordLoading } from '../../ui/record/record-loading.tsx';
import { ThreatForm } from './threat-form.tsx';

/** The form over a threat that is there; another one's form begins anew. */
export function ThreatFormPage({ id }: { id: string }) {
  const query = useQuery(threatQuery(id));
  if (query.data !== undefined) return <ThreatForm key={id} record={query.data} />;
  if (query.isPending) return <RecordLoading />;
  return (
    <RecordFailed noun="Threat" title="Error Loading Threat" query={query} list="/dashboard/threats">
      All threats
    </RecordFailed>
  );
}
