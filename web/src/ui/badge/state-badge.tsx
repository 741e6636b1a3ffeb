import type { JobState } from '@riskboard/contract';
import { Ban, CircleAlert, CircleCheck, Clock, LoaderCircle } from 'lucide-react';
import { Badge, type BadgeTone } from './badge.tsx';

const looks = {
  queued: { word: 'Queued', tone: 'neutral', Icon: Clock },
  running: { word: 'Running', tone: 'info', Icon: LoaderCircle },
  succeeded: { word: 'Done', tone: 'success', Icon: CircleCheck },
  failed: { word: 'Failed', tone: 'danger', Icon: CircleAlert },
  cancelled: { word: 'Cancelled', tone: 'neutral', Icon: Ban },
} as const satisfies Record<JobState, { word: string; tone: BadgeTone; Icon: typeof Clock }>;

/** State of a job, or of a file's newest parse. */
export function StateBadge({ state }: { state: JobState }) {
  const { word, tone, Icon } = looks[state];
  return (
    <Badge
      tone={tone}
      icon={<Icon aria-hidden size={12} className={state === 'running' ? 'animate-spin' : ''} />}
    >
      {word}
    </Badge>
  );
}
