import type { AssetDetail } from '@riskboard/contract';
import { AssetsField } from '../../../ui/form/controls/assets-field.tsx';
import { CostField } from './cost-field.tsx';
import { ProjectField } from '../../../ui/form/controls/project-field.tsx';
import { FormSection } from '../../../ui/form/entity-field.tsx';
import { EditPage, EntityForm } from '../../../ui/form/entity-form.tsx';
import { asset } from '../asset.ts';

const Section = FormSection<typeof asset>;

interface AssetFormProps {
  record?: AssetDetail;
  /** Project of a new asset, unless the user chooses another. */
  projectId?: string | undefined;
}

/** Creates or edits an asset (spec 2, Asset form). */
export function AssetForm({ record, projectId }: AssetFormProps) {
  return (
    <EntityForm entity={asset} record={record} {...(projectId !== undefined && { initial: { projectId } })}>
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
          relatedAssets: (
            <AssetsField self={record?._id} parents={record?.parentAssets.map(({ _id }) => _id)} />
          ),
        }}
      />
    </EntityForm>
  );
}

export const EditAssetPage = ({ id }: { id: string }) => <EditPage entity={asset} id={id} Form={AssetForm} />;
