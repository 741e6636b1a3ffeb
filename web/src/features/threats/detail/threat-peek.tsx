import type { PeekProps } from '../../../ui/record/lazy-list-parts.tsx';
import { RecordPeek } from '../../../ui/record/peek/record-peek.tsx';
import { threat } from '../threat.ts';
import { ThreatEssentials, threatEssentials } from './threat-facts.tsx';

/** The pane of a threat beside its lists. */
export const ThreatPeek = (props: PeekProps) => (
  <RecordPeek entity={threat} fields={threatEssentials} {...props}>
    {(detail) => <ThreatEssentials detail={detail} />}
  </RecordPeek>
);
