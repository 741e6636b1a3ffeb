import { Badge } from '../../ui/badge/badge.tsx';
import { Maybe } from '../../ui/text/empty.tsx';

/** Whether a vignette is one of Riskboard's starter set: its origin begins with the name of the product. */
const isStarter = (origin: string): boolean => /^riskboard\b/iu.test(origin);

/** Marks a starter vignette, so that its ratings are not mistaken for those of MITRE; nothing for others. */
export const StarterBadge = ({ origin }: { origin: string }) =>
  isStarter(origin) ? <Badge tone="info">Riskboard starter, not MITRE</Badge> : null;

/** Who wrote a vignette. */
export const Origin = ({ origin }: { origin: string }) =>
  isStarter(origin) ? <StarterBadge origin={origin} /> : <Maybe text={origin} />;
