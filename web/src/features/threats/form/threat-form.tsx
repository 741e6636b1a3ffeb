import type { ThreatDetail } from '@riskboard/contract';
import { derivedRiskLevel } from '@riskboard/domain';
import { AssetsField } from '../../../ui/form/controls/assets-field.tsx';
import { NumberField } from '../../../ui/form/controls/number-field.tsx';
import { FormSection } from '../../../ui/form/entity-field.tsx';
import { EditPage, EntityForm } from '../../../ui/form/entity-form.tsx';
import { useTextValue } from '../../../ui/form/form-context.ts';
import { threat } from '../threat.ts';

const Section = FormSection<typeof threat>;
const { min, max } = threat.fields.riskLevel;

const levelOf = (value: string): number | null => (value === '' ? null : Number(value));

function riskHint(entered: string, derived: number | null): string {
  if (entered.trim() !== '') return '0 to 100. Clear it to use the derived level.';
  if (derived === null) return '0 to 100. Blank: derived once likelihood and impact are set.';
  return `0 to 100. Blank: ${derived}, derived from likelihood and impact.`;
}

/** The risk level, with what a blank one becomes (contract, Scales). */
function RiskLevelField() {
  const entered = useTextValue('riskLevel');
  const likelihood = levelOf(useTextValue('likelihood'));
  const derived = derivedRiskLevel(likelihood, levelOf(useTextValue('impact')));
  return (
    <NumberField
      min={min}
      max={max}
      placeholder={derived === null ? 'Not assessed' : `${derived} (derived)`}
      hint={riskHint(entered, derived)}
    />
  );
}

/** Creates or edits a threat (spec 2, Asset form and threat form). */
export function ThreatForm({ record }: { record?: ThreatDetail }) {
  return (
    <EntityForm entity={threat} record={record}>
      <Section name="core" />
      <Section name="actor" order={['motivation', 'capability']} />
      <Section name="risk" order={['likelihood', 'impact']} controls={{ riskLevel: <RiskLevelField /> }} />
      <Section
        name="response"
        order={['mitigationStrategy', 'relatedAssets']}
        controls={{ relatedAssets: <AssetsField total={record?.relatedAssetTotal} /> }}
      />
    </EntityForm>
  );
}

export const EditThreatPage = ({ id }: { id: string }) => (
  <EditPage entity={threat} id={id} Form={ThreatForm} />
);
