import type { Vignette } from '@riskboard/contract';
import { Card } from '../../../ui/layout/card.tsx';
import { Fact, Facts } from '../../../ui/record/facts.tsx';
import { Reference } from '../../../ui/record/reference.tsx';
import { Empty, Maybe } from '../../../ui/text/empty.tsx';
import { Time } from '../../../ui/text/time.tsx';
import { Origin } from '../origin.tsx';
import { ScoredVulnerabilities } from '../scored-vulnerabilities.tsx';

/** What is known of a vignette apart from its scorecard and its long texts. */
export function VignetteFacts({ vignette }: { vignette: Vignette }) {
  const { archetypes, references } = vignette;
  return (
    <Card title="Details">
      <Facts>
        <Fact label="Scorecard">
          <span className="wrap-anywhere">{vignette.scorecardName}</span>
        </Fact>
        <Fact label="Origin">
          <Origin origin={vignette.origin} />
        </Fact>
        <Fact label="Vulnerabilities">
          <ScoredVulnerabilities vignette={vignette} />
        </Fact>
        <Fact label="Domain">
          <Maybe text={vignette.domain} />
        </Fact>
        <Fact label="Maturity">
          <Maybe text={vignette.maturity} />
        </Fact>
        <Fact label="Archetypes">
          {archetypes.length === 0 ? (
            <Empty />
          ) : (
            <ul>
              {archetypes.map((archetype) => (
                <li key={archetype} className="wrap-anywhere">
                  {archetype}
                </li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact label="References">
          {references.length === 0 ? (
            <Empty />
          ) : (
            <ul className="flex flex-col gap-1">
              {references.map((reference) => (
                <li key={reference}>
                  <Reference text={reference} />
                </li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact label="File">
          <span className="wrap-anywhere">
            <Maybe text={vignette.originalFilename} />
          </span>
        </Fact>
        <Fact label="Created">
          <Time value={vignette.createdAt} />
        </Fact>
        <Fact label="Updated">
          <Time value={vignette.updatedAt} />
        </Fact>
      </Facts>
    </Card>
  );
}
