import { cva } from 'class-variance-authority';
import { Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

const notice = cva('flex items-start gap-2 rounded px-3 py-2 text-sm', {
  variants: { tone: { info: 'bg-info-soft text-info', warning: 'bg-warning-soft text-warning' } },
});
const icons = { info: Info, warning: TriangleAlert } as const;

/** A highlighted notice. */
export function Notice({ tone = 'info', children }: { tone?: keyof typeof icons; children: ReactNode }) {
  const Icon = icons[tone];
  return (
    <div className={notice({ tone })}>
      <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
