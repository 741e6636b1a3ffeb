import { useNavigate, useSearch } from '@tanstack/react-router';
import { useLast } from '../../../lib/hooks/use-last.ts';
import type { CwePanelProps } from '../../../ui/cwe/cwe-panel.tsx';
import { idlePart } from '../../../ui/layout/idle-part.tsx';
import { Empty } from '../../../ui/text/empty.tsx';

const { Part: CwePanel, useIdleLoad } = idlePart<CwePanelProps>(
  async () => (await import('../../../ui/cwe/cwe-panel.tsx')).CwePanel,
  null,
);

/** The CWE whose panel is open: it is part of the address, of lists and details alike. */
function useWeakness() {
  const { weakness } = useSearch({ strict: false });
  const navigate = useNavigate();
  // It replaces the open panel of a row; Back leads to that again.
  const show = (id: string | undefined) =>
    void navigate({
      to: '.',
      search: (now: object) => ({ ...now, weakness: id, peek: undefined }),
      resetScroll: false,
    });
  return { weakness, open: show, close: () => show(undefined) };
}

/** Panel of the CWE that the address names (spec 2, Vulnerability data list). */
export function WeaknessPanel() {
  const { weakness, open, close } = useWeakness();
  const wasOpened = useLast(weakness) !== undefined;
  useIdleLoad();
  return wasOpened && <CwePanel value={weakness ?? null} onOpen={open} onClose={close} />;
}

interface CweListProps {
  ids: readonly string[];
  /** Name of the vulnerability. */
  name: string;
  /** CWEs that are shown before the others are counted; absent: all. */
  most?: number;
}

/** CWEs of a vulnerability; each opens its panel (spec 2, Vulnerability data list). */
export function CweList({ ids, name, most }: CweListProps) {
  const { open } = useWeakness();
  if (ids.length === 0) return <Empty />;
  const others = most === undefined ? [] : ids.slice(most);
  return (
    <span className={`flex items-center gap-x-2 ${most === undefined ? 'flex-wrap' : ''}`}>
      {ids.slice(0, most).map((id) => (
        <button
          key={id}
          type="button"
          aria-haspopup="dialog"
          aria-label={`${id} of ${name}`}
          onClick={() => open(id)}
          className="min-h-6 rounded whitespace-nowrap text-accent-text underline decoration-1 underline-offset-3 hover:decoration-2"
        >
          {id}
        </button>
      ))}
      {others.length > 0 && (
        <span className="text-sm text-muted" title={others.join(', ')}>
          +{others.length}
        </span>
      )}
    </span>
  );
}
