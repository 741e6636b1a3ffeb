import { assets } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { isMissing } from '../../lib/api/errors.ts';
import { detailQuery } from '../../lib/entity/queries.ts';
import { nameText } from '../../lib/format/name-text.ts';
import { useProjectName } from '../form/controls/use-project-name.ts';

interface RelatedTo {
  readonly assetId?: string | undefined;
  readonly projectId?: string | undefined;
}

/** Labels of the filters by a related asset and project, with their names; the URL has only their ids. */
export function useRelatedLabels({ assetId, projectId }: RelatedTo): Record<keyof RelatedTo, string> {
  const { data, error } = useQuery({
    ...detailQuery({ noun: 'assets', calls: assets }, assetId ?? ''),
    enabled: assetId !== undefined,
  });
  const asset = isMissing(error) ? 'Deleted asset' : data?.name;
  const project = useProjectName(projectId ?? null);
  return { assetId: `Asset: ${nameText(asset ?? '…')}`, projectId: `Project: ${nameText(project ?? '…')}` };
}
