import type { AssetDetail } from '@riskboard/contract';
import { Link } from '@tanstack/react-router';
import { pagesOf } from '../../../lib/entity/entity.ts';
import { ActiveBadge } from '../../../ui/badge/active-badge.tsx';
import { HealthBadge } from '../../../ui/badge/asset-badge.tsx';
import { loneLinkStyle } from '../../../ui/button/link-style.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { Facts } from '../../../ui/record/facts.tsx';
import { arrangeFields, FieldFacts } from '../../../ui/record/field-facts.tsx';
import { asset } from '../asset.ts';
import { Empty } from '../../../ui/text/empty.tsx';
import { protectionsOf } from '../protection.ts';
import { AssetScore } from '../score/asset-score.tsx';
import { CostText } from './cost-text.tsx';

const { essentials, facts, texts } = arrangeFields(asset, {
  essentials: ['riskScore', 'health', 'criticality', 'isActive', 'assetTypeId', 'projectId'],
  facts: ['threatCount', 'vulnerabilityCount', 'startDate', 'reference', 'createdAt', 'updatedAt'],
  texts: ['description'],
  elsewhere: [
    'name',
    'status',
    'projectName',
    'relatedAssets',
    'confidentialityLevel',
    'confidentialityDescription',
    'integrityLevel',
    'integrityDescription',
    'availabilityLevel',
    'availabilityDescription',
    'replacementCost',
    'recoveryCost',
  ],
});

const protection = ['confidentialityLevel', 'integrityLevel', 'availabilityLevel'] as const;
const costs = ['replacementCost', 'recoveryCost'] as const;

/** Long texts of an asset's page. */
export const assetTexts = texts;

/** Fields of the pane beside the list. */
export const assetEssentials = [...essentials, ...protection, ...costs];

/** Link to the project of an asset. */
export const ProjectLink = ({ detail }: { detail: AssetDetail }) => (
  <Link
    to={pagesOf('projects').detail}
    params={{ id: detail.projectId }}
    className={`min-w-0 wrap-anywhere ${loneLinkStyle}`}
  >
    {detail.projectName}
  </Link>
);

function EssentialFacts({ detail }: { detail: AssetDetail }) {
  return (
    <FieldFacts
      names={essentials}
      values={{
        riskScore: <AssetScore id={detail._id} name={detail.name} score={detail.riskScore} />,
        health: <HealthBadge health={detail.health} />,
        isActive: <ActiveBadge active={detail.isActive} />,
        projectId: <ProjectLink detail={detail} />,
      }}
    />
  );
}

/** The facts of the pane beside the list. */
export function AssetEssentials({ detail }: { detail: AssetDetail }) {
  return (
    <>
      <EssentialFacts detail={detail} />
      <FieldFacts
        names={protection}
        values={Object.fromEntries(
          protectionsOf(detail).map(({ name, level, outOf, text }) => [
            name,
            level === null ? <Empty key={name} /> : `${level} / ${outOf}, ${text}`,
          ]),
        )}
      />
      <FieldFacts
        names={costs}
        values={{
          replacementCost: <CostText amount={detail.replacementCost} />,
          recoveryCost: <CostText amount={detail.recoveryCost} />,
        }}
      />
    </>
  );
}

/** The fields of an asset that no other card of its page shows. */
export function AssetFacts({ detail }: { detail: AssetDetail }) {
  return (
    <Card title="Facts">
      <Facts fields={[...essentials, ...facts]}>
        <EssentialFacts detail={detail} />
        <FieldFacts names={facts} />
      </Facts>
    </Card>
  );
}
