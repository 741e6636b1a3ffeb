import type { ThreatDetail } from '@riskboard/contract';
import { Card } from '../../ui/layout/card.tsx';
import { Maybe } from '../../ui/text/empty.tsx';
import { Fact, Facts } from '../../ui/record/facts.tsx';
import { Reference } from '../../ui/record/reference.tsx';
import { SourceFile } from '../../ui/record/source-file.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ThreatEssentials } from './threat-essentials.tsx';

/** The fields of a threat that are no texts. */
export function ThreatFacts({ detail }: { detail: ThreatDetail }) {
  return (
    <Card title="Facts">
      <Facts>
        <ThreatEssentials detail={detail} />
        <Fact label="Kind">
          <Maybe text={detail.kind} />
        </Fact>
        <Fact label="Category" field="threatCategory">
          <Maybe text={detail.threatCategory} />
        </Fact>
        <Fact label="Source" field="source">
          <Maybe text={detail.source} />
        </Fact>
        <Fact label="Reference" field="reference">
          <Reference text={detail.reference} />
        </Fact>
        <Fact label="Source file">
          <SourceFile name={detail.sourceFile} />
        </Fact>
        <Fact label="Created">
          <Time value={detail.createdAt} form="absolute" />
        </Fact>
        <Fact label="Updated">
          <Time value={detail.updatedAt} />
          {detail.updatedBy !== '' && <span className="text-muted"> by {detail.updatedBy}</span>}
        </Fact>
      </Facts>
    </Card>
  );
}
