import { assets, type AssetDetail } from '@riskboard/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../../lib/api/call.ts';
import { AssetsField } from '../../../ui/form/controls/assets-field.tsx';
import { CostField } from './cost-field.tsx';
import { ProjectField } from '../../../ui/form/controls/project-field.tsx';
import { useOnlyProject } from '../../../ui/form/controls/use-option-search.ts';
import { FormSection } from '../../../ui/form/entity-field.tsx';
import { EditPage, EntityForm } from '../../../ui/form/entity-form.tsx';
import { asset } from '../asset.ts';

const Section = FormSection<typeof asset>;

interface AssetFormProps {
  record?: AssetDetail;
  /** Project of a new asset, unless the user chooses another; absent: the only project. */
  projectId?: string | undefined;
}

/** Creates or edits an asset (spec 2, Asset form). */
export function AssetForm({ record, projectId }: AssetFormProps) {
  const only = useOnlyProject(record === undefined && projectId === undefined);
  const project = projectId ?? only;
  return (
    <EntityForm
      entity={asset}
      record={record}
      search={['projectId']}
      {...(project !== undefined && { initial: { projectId: project } })}
    >
      <Section
        name="core"
        order={['name', 'description', 'projectId', 'assetTypeId', 'startDate', 'isActive']}
        controls={{ projectId: <ProjectField name={record?.projectName} /> }}
      />
      <Section
        name="security"
        order={[
          'confidentialityLevel',
          'confidentialityDescription',
          'integrityLevel',
          'integrityDescription',
          'availabilityLevel',
          'availabilityDescription',
        ]}
      />
      <Section name="business" controls={{ replacementCost: <CostField />, recoveryCost: <CostField /> }} />
      <Section
        name="relations"
        order={['relatedAssets', 'reference']}
        controls={{
          relatedAssets: record === undefined ? <AssetsField /> : <RelatedField record={record} />,
        }}
      />
    </EntityForm>
  );
}

/**
 * What the asset depends on. Assets that depend on it, directly or through others, are shown with the reason and cannot
 * be chosen; the server has the last word, because others edit relations too.
 */
function RelatedField({ record: { _id, parentAssets, relatedAssetTotal } }: { record: AssetDetail }) {
  const { data } = useQuery({
    queryKey: ['assets', 'blast-radius', _id],
    queryFn: ({ signal }) => call(assets.blastRadius, { params: { id: _id }, signal }),
    enabled: parentAssets.length > 0,
  });
  const parents = useMemo(() => parentAssets.map((parent) => parent._id), [parentAssets]);
  const ancestors = useMemo(() => new Set(data?.nodes.map((node) => node._id)), [data]);
  return (
    <AssetsField
      self={_id}
      parents={parents}
      ancestors={ancestors}
      total={relatedAssetTotal}
      otherWay="a CSV import"
    />
  );
}

export const EditAssetPage = ({ id }: { id: string }) => <EditPage entity={asset} id={id} Form={AssetForm} />;
