import { createFileRoute } from '@tanstack/react-router';
import { batchFilesSource, type BatchFilesSearch } from '../../../features/batches/batch-files-source.ts';
import { BatchPage } from '../../../features/batches/batch-page.tsx';
import { sendingBatches } from '../../../features/reports/upload/sending-batches-state.ts';
import { useStore } from '../../../lib/browser/store.ts';
import { idlePart } from '../../../ui/layout/idle-part.tsx';

// The upload tools are loaded after the page: the upload may be interrupted because the connection was lost.
const { Part: ContinueUpload, useIdleLoad } = idlePart(
  async () => (await import('../../../features/reports/upload/continue-upload.tsx')).ContinueUpload,
  null,
);

export const Route = createFileRoute('/dashboard/batches/$batchId')({
  staticData: { crumb: 'Batch', section: { label: 'Batches', to: '/dashboard/batches' } },
  // Parsed by the page: the declaration of the list would be loaded with every page.
  validateSearch: (search: Record<string, unknown>): Partial<BatchFilesSearch> => search,
  component: Batch,
});

const initial: Readonly<Record<string, unknown>> = { ...batchFilesSource.initial };

/** The state without its defaults. */
const withoutDefaults = (state: BatchFilesSearch): Partial<BatchFilesSearch> =>
  Object.fromEntries(
    Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name])),
  );

function Batch() {
  useIdleLoad();
  const navigate = Route.useNavigate();
  const { batchId } = Route.useParams();
  const isSending = useStore(sendingBatches).has(batchId);
  return (
    <BatchPage
      key={batchId}
      batchId={batchId}
      search={batchFilesSource.schema.parse(Route.useSearch())}
      onSearch={(state, how) => void navigate({ search: withoutDefaults(state), resetScroll: false, ...how })}
      continueUpload={isSending ? null : ContinueUpload}
    />
  );
}
