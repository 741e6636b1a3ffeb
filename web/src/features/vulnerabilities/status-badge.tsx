import type { VulnerabilityStatus } from '@riskboard/domain';
import { statusWord } from '../../lib/record-words.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const tones: Readonly<Record<string, BadgeTone>> = {
  open: 'warning',
  mitigated: 'info',
  fixed: 'success',
  accepted: 'neutral',
} satisfies Record<VulnerabilityStatus, BadgeTone>;

/** Status of a vulnerability; any other value displays 'Unknown' (spec 4). */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={tones[status] ?? 'neutral'}>{statusWord(status)}</Badge>;
}
