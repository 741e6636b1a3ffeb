import type { ComponentProps } from 'react';
import { RecordPeek } from '../../../ui/record/record-peek.tsx';
import { threat } from '../threat.ts';
import { ThreatEssentials, threatEssentials } from './threat-facts.tsx';

type PeekProps = Pick<ComponentProps<typeof RecordPeek>, 'id' | 'ids' | 'onId'>;

/** The panel of a threat beside its lists. */
export const ThreatPeek = (props: PeekProps) => (
  <RecordPeek entity={threat} fields={threatEssentials} {...props}>
    {(detail) => <ThreatEssentials detail={detail} />}
  </RecordPeek>
);
