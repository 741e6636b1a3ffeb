import { useQuery } from '@tanstack/react-query';
import { isMissing } from '../../../lib/api/errors.ts';
import { useNamedPage } from '../../../lib/browser/page-name.ts';
import { RecordLoading } from '../../../ui/record/record-status.tsx';
import { versionQuery, vignetteQuery } from '../queries.ts';
import { VignetteFailed } from '../vignette-failed.tsx';
import { draftOf, draftOfCopy, emptyDraft } from './draft.ts';
import { VignetteEditor } from './vignette-editor.tsx';

interface EditVignettePageProps {
  id: string;
  /** Earlier version whose content the form starts with. */
  version: number | undefined;
}

/** Edits a vignette; saving makes a new version. */
export function EditVignettePage({ id, version }: EditVignettePageProps) {
  const query = useQuery(vignetteQuery(id));
  const earlier = useQuery({ ...versionQuery(id, version ?? 1), enabled: version !== undefined });
  const vignette = query.data;
  useNamedPage(vignette && `Edit ${vignette.name}`);
  if (vignette === undefined) return query.isPending ? <RecordLoading /> : <VignetteFailed query={query} />;
  if (version !== undefined && earlier.data === undefined)
    return earlier.isPending ? <RecordLoading /> : <VignetteFailed query={earlier} />;
  return (
    <VignetteEditor
      title={version === undefined ? 'Edit Vignette' : `Edit Vignette from Version ${version}`}
      vignette={vignette}
      start={draftOf(earlier.data ?? vignette)}
      isDeleted={isMissing(query.error)}
      compared={vignette}
    />
  );
}

/** Creates a vignette, from nothing or as a copy of another one. */
export function NewVignettePage({ from }: { from: string | undefined }) {
  const query = useQuery({ ...vignetteQuery(from ?? ''), enabled: from !== undefined });
  if (from === undefined) return <VignetteEditor title="Create New Vignette" start={emptyDraft} />;
  if (query.data === undefined) return query.isPending ? <RecordLoading /> : <VignetteFailed query={query} />;
  return <VignetteEditor title="Duplicate Vignette" start={draftOfCopy(query.data)} compared={query.data} />;
}
