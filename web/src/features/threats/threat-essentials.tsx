import type { ThreatDetail } from '@riskboard/contract';
import { fiveLevels, threatRiskScore, threatTypes, threeLevels } from '@riskboard/domain';
import { Maybe } from '../../ui/text/empty.tsx';
import { Fact } from '../../ui/record/facts.tsx';
import { RiskBadge } from '../../ui/badge/badge.tsx';
import { ActiveBadge } from './active-badge.tsx';
import { Level } from './threat-cells.tsx';
import { ThreatIdLink } from './threat-id-link.tsx';

/** Where a risk level comes from (contract, Scales). */
const levelNotes: Readonly<Record<string, string>> = {
  derived: '4 × likelihood × impact',
  CAPEC: 'As CAPEC has it',
};

/** What decides about a threat: the first facts of its page, and all of its panel. */
export function ThreatEssentials({ detail }: { detail: ThreatDetail }) {
  const { riskLevel } = detail;
  return (
    <>
      <Fact label="Risk level" field="riskLevel" note={levelNotes[detail.riskLevelSource] ?? ''}>
        <RiskBadge level={riskLevel} />
      </Fact>
      <Fact label="Risk score">
        <Maybe text={riskLevel === null ? '' : `${threatRiskScore(riskLevel).toFixed(1)} / 10`} />
      </Fact>
      <Fact label="State" field="isActive">
        <ActiveBadge active={detail.isActive} />
      </Fact>
      <Fact label="Type" field="threatTypeId">
        <Level scale={threatTypes} level={detail.threatTypeId} />
      </Fact>
      <Fact label="Threat ID" field="threatID">
        <ThreatIdLink id={detail.threatID} />
      </Fact>
      <Fact label="Motivation" field="motivation" note={detail.motivationDescription}>
        <Level scale={threeLevels} level={detail.motivation} />
      </Fact>
      <Fact label="Capability" field="capability" note={detail.capabilityDescription}>
        <Level scale={threeLevels} level={detail.capability} />
      </Fact>
      <Fact label="Likelihood" field="likelihood" note={detail.likelihoodDescription}>
        <Level scale={fiveLevels} level={detail.likelihood} />
      </Fact>
      <Fact label="Impact" field="impact" note={detail.impactDescription}>
        <Level scale={fiveLevels} level={detail.impact} />
      </Fact>
    </>
  );
}
