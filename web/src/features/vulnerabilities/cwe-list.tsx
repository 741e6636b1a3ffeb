import { Empty } from '../../ui/text/empty.tsx';
import { useWeakness } from './use-weakness.ts';

interface CweListProps {
  ids: readonly string[];
  /** What the weaknesses are of. */
  name: string;
  /** Weaknesses that are shown before the rest becomes a number; absent: all. */
  most?: number;
}

/** Weaknesses of a vulnerability; each opens its panel (spec 2, Vulnerability data list). */
export function CweList({ ids, name, most }: CweListProps) {
  const { open } = useWeakness();
  if (ids.length === 0) return <Empty />;
  const rest = most === undefined ? [] : ids.slice(most);
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
      {rest.length > 0 && (
        <span className="text-sm text-muted" title={rest.join(', ')}>
          +{rest.length}
        </span>
      )}
    </span>
  );
}
