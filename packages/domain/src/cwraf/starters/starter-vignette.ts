import { impactLayers, technicalImpacts, type TechnicalImpact } from '../impacts.ts';
import type { Vignette } from '../read-vignette.ts';

/** A subscore, 0-10, with the reason for it. */
type Rating = readonly [subscore: number, why: string];

/** Ratings at System, Application, Network and Enterprise; null is not rated. */
type Row = readonly [
  system: Rating | null,
  application: Rating | null,
  network: Rating | null,
  enterprise: Rating | null,
];

type About = Pick<Vignette, 'name' | 'description' | 'domain' | 'archetypes' | 'businessValueContext'> & {
  readonly ratings: Readonly<Record<TechnicalImpact, Row>>;
};

/** Makes a starter vignette; its ratings are ours, and it says so. */
export const starterVignette = ({ ratings, ...about }: About): Vignette => ({
  name: about.name,
  scorecardName: `${about.name} scorecard`,
  description: about.description,
  domain: about.domain,
  maturity: 'Starter',
  archetypes: about.archetypes,
  businessValueContext: about.businessValueContext,
  notes:
    'Written by the Riskboard project as a start; this is not a vignette of MITRE. Adjust the ratings to your own business before you rely on the scores.',
  references: [],
  origin: 'Riskboard',
  scorecard: technicalImpacts.flatMap((impact) =>
    impactLayers.flatMap((layer, column) => {
      const rating = ratings[impact][column];
      return rating ? [{ impact, layer, subscore: rating[0], notes: rating[1] }] : [];
    }),
  ),
});
