import { Collapsible } from '@base-ui/react/collapsible';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';

interface CvssOptionalGroupProps {
  label: string;
  /** How many of its metrics say something. */
  stated: number;
  children: ReactNode;
}

/** Metrics that may be left out: folded until somebody wants them, or a vector came with them. */
export function CvssOptionalGroup({ label, stated, children }: CvssOptionalGroupProps) {
  return (
    <Collapsible.Root defaultOpen={stated > 0} className="border-t pt-2">
      <Collapsible.Trigger className="group flex min-h-8 items-center gap-2 rounded text-sm font-medium">
        <ChevronRight
          aria-hidden
          size={14}
          className="text-muted transition-transform group-data-panel-open:rotate-90"
        />
        {label} metrics{' '}
        <span className="font-normal text-muted tabular-nums">
          {stated === 0 ? 'optional' : `${stated} stated`}
        </span>
      </Collapsible.Trigger>
      <Collapsible.Panel className="pt-2">{children}</Collapsible.Panel>
    </Collapsible.Root>
  );
}
