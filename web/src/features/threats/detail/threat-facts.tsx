import type { ThreatDetail } from '@riskboard/contract';
import { threatRiskScore } from '@riskboard/domain';
import { RiskBadge } from '../../../ui/badge/badge.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { Fact, Facts } from '../../../ui/record/facts.tsx';
import { FieldFacts, arrangeFields } from '../../../ui/record/field-facts.tsx';
import { RelatedAssets } from '../../../ui/record/related-assets.tsx';
import { OutsideLink } from '../../../ui/record/reference.tsx';
import { Empty } from '../../../ui/text/empty.tsx';
import { threat } from '../threat.ts';
import { ActiveBadge } from './active-badge.tsx';

const { essentials, facts, texts } = arrangeFields(threat, {
  essentials: ['isActive', 'threatTypeId', 'threatID', 'motivation', 'capability', 'likelihood', 'impact'],
  facts: ['kind', 'threatCategory', 'source', 'reference', 'sourceFile', 'createdAt', 'updatedAt'],
  texts: ['description', 'mitigationStrategy'],
  elsewhere: ['name', 'riskLevel', 'riskLevelSource', 'withdrawn', 'relatedAssets'],
});

/** Long texts of a threat's page. */
export const threatTexts = texts;

/** Fields of the pane beside a list. */
export const threatEssentials = ['riskLevel', ...essentials];

/** Where a risk level comes from (contract, Scales). */
const levelNotes: Readonly<Record<string, string>> = {
  derived: '4 × likelihood × impact',
  CAPEC: 'As in CAPEC',
};

/** Catalogues by the form of their ids, with the address of an entry. */
const catalogues: readonly (readonly [form: RegExp, address: (id: string) => string])[] = [
  [/^CAPEC-(\d{1,5})$/u, (id) => `https://capec.mitre.org/data/definitions/${id.slice(6)}.html`],
  [/^T\d{4}(\.\d{3})?$/u, (id) => `https://attack.mitre.org/techniques/${id.replace('.', '/')}/`],
  [/^G\d{4}$/u, (id) => `https://attack.mitre.org/groups/${id}/`],
  [/^S\d{4}$/u, (id) => `https://attack.mitre.org/software/${id}/`],
  [/^C\d{4}$/u, (id) => `https://attack.mitre.org/campaigns/${id}/`],
];

/** A CAPEC or ATT&CK id with the link to its entry; any other id as text. */
function ThreatIdLink({ id }: { id: string }) {
  if (id === '') return <Empty />;
  const address = catalogues.find(([form]) => form.test(id))?.[1];
  return address === undefined ? <span>{id}</span> : <OutsideLink href={address(id)}>{id}</OutsideLink>;
}

/** The first facts of a threat's page, and all of its pane beside a list. */
export function ThreatEssentials({ detail }: { detail: ThreatDetail }) {
  const { riskLevel, riskLevelSource, isActive, threatID } = detail;
  return (
    <>
      <FieldFacts
        names={['riskLevel']}
        values={{ riskLevel: <RiskBadge level={riskLevel} /> }}
        notes={{ riskLevel: levelNotes[riskLevelSource] ?? '' }}
      />
      {riskLevel !== null && (
        <Fact label="Risk score">{`${threatRiskScore(riskLevel).toFixed(1)} / 10`}</Fact>
      )}
      <FieldFacts
        names={essentials}
        values={{
          isActive: <ActiveBadge active={isActive} />,
          threatID: <ThreatIdLink id={threatID} />,
        }}
      />
    </>
  );
}

/** The fields of a threat that are not long texts, and its assets. */
export function ThreatFacts({ detail }: { detail: ThreatDetail }) {
  return (
    <>
      <Card title="Facts">
        <Facts fields={[...threatEssentials, ...facts]}>
          <ThreatEssentials detail={detail} />
          <FieldFacts names={facts} />
        </Facts>
      </Card>
      <RelatedAssets assets={detail.relatedAssets} />
    </>
  );
}
