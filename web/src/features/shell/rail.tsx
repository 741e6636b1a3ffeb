import { Link } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { Mark } from '../../ui/layout/mark.tsx';
import { RailLinks } from './rail-links.tsx';
import { setRailNarrow, useRailNarrow } from './rail-state.ts';

/** The left rail of wide screens; collapses to icons. */
export function Rail() {
  const narrow = useRailNarrow();
  const Icon = narrow ? PanelLeftOpen : PanelLeftClose;
  return (
    <aside
      className={`sticky top-0 hidden h-dvh shrink-0 flex-col border-r bg-surface lg:flex ${narrow ? 'w-14' : 'w-58'}`}
    >
      <div className="flex h-14 shrink-0 items-center border-b px-4">
        <Link
          to="/dashboard"
          aria-label="Riskboard, to the dashboard"
          className="flex items-center gap-2.5 rounded text-lg font-semibold tracking-tight"
        >
          <Mark />
          {!narrow && 'Riskboard'}
        </Link>
      </div>
      <div className="min-h-0 grow overflow-y-auto">
        <RailLinks narrow={narrow} />
      </div>
      <div className="p-3">
        <IconButton
          label={narrow ? 'Expand navigation' : 'Collapse navigation'}
          icon={<Icon aria-hidden size={16} />}
          aria-expanded={!narrow}
          onClick={() => setRailNarrow(!narrow)}
        />
      </div>
    </aside>
  );
}
