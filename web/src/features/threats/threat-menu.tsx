import { threats, type Threat } from '@riskboard/contract';
import { useQueryClient } from '@tanstack/react-query';
import { downloadRecord } from '../../lib/browser/save-as.ts';
import { useDeleteThreat } from '../../lib/record-mutations.ts';
import { threatQuery } from '../../lib/record-queries.ts';
import { useRefusal } from '../../lib/write-refusal.ts';
import { RecordMenu } from '../../ui/record/record-menu.tsx';

/** What can be done with one row of the data list (spec 2: row menu). */
export function ThreatMenu({ row: { _id, name } }: { row: Threat }) {
  const queryClient = useQueryClient();
  const remove = useDeleteThreat();
  return (
    <RecordMenu
      name={name}
      refusal={useRefusal(threats.delete.access)}
      onDownload={() => void downloadRecord(() => queryClient.fetchQuery(threatQuery(_id)))}
      onDelete={() => remove.mutate(_id)}
    />
  );
}
