import { alertList, type Alert } from '@riskboard/contract';
import { CircleAlert, Info, OctagonAlert, TriangleAlert } from 'lucide-react';
import { Badge } from '../../../ui/badge/badge.tsx';

const icons = { critical: OctagonAlert, high: TriangleAlert, medium: CircleAlert, low: Info } as const;

/** Severity of an alert, by icon and text. */
export function AlertSeverity({ severity }: Pick<Alert, 'severity'>) {
  const Icon = icons[severity];
  return (
    <Badge tone={severity} icon={<Icon aria-hidden size={12} />}>
      {alertList.fields.severity.labels[severity]}
    </Badge>
  );
}
