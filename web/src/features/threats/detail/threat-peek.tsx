import type { PaneProps } from '../../../ui/list/list-page.tsx';
import { RecordPeek } from '../../../ui/record/peek/record-peek.tsx';
import { threat } from '../threat.ts';
import { ThreatEssentials, threatEssentials } from './threat-facts.tsx';

/** The pane of a threat beside its lists. */
export const ThreatPeek = (props: PaneProps) => (
  <RecordPeek entity={threat} fields={threatEssentials} {...props}>
    {(detail) => <ThreatEssentials detail={detail} />}
  </RecordPeek>
);
