import type { Cwe } from '@riskboard/contract';
import { linkStyle } from '../button/link-style.ts';

/** Labels of MITRE's relations, parents first. */
const natures: Readonly<Record<string, string>> = {
  ChildOf: 'Child of',
  ParentOf: 'Parent of',
  HasMember: 'Has member',
  CanPrecede: 'Can precede',
  CanFollow: 'Can follow',
  Requires: 'Requires',
  RequiredBy: 'Required by',
  StartsWith: 'Starts with',
  CanAlsoBe: 'Can also be',
  PeerOf: 'Peer of',
};
const order = Object.keys(natures);
const rank = (nature: string): number => (order.includes(nature) ? order.indexOf(nature) : order.length);

interface CweRelatedProps {
  weaknesses: Cwe['Weaknesses'];
  onOpen: (value: string) => void;
}

/** Related weaknesses, grouped by relation; each opens in the panel. */
export function CweRelated({ weaknesses, onOpen }: CweRelatedProps) {
  if (weaknesses.length === 0) return null;
  const groups = Map.groupBy(weaknesses, ({ Nature }) => Nature);
  const sorted = [...groups].toSorted(([a], [b]) => rank(a) - rank(b));
  return (
    <section aria-label="Related weaknesses" className="border-t p-4">
      <h3 className="mb-2 text-sm font-semibold">Related weaknesses</h3>
      <dl className="flex flex-col gap-2">
        {sorted.map(([nature, all]) => (
          <div key={nature} className="grid grid-cols-[88px_1fr] gap-2">
            <dt className="py-0.5 text-xs leading-5 text-muted">{natures[nature] ?? nature}</dt>
            <dd className="flex flex-col">
              {all.map(({ ID, Name }) => (
                <button
                  key={ID}
                  type="button"
                  onClick={() => onOpen(`CWE-${ID}`)}
                  className="group min-h-6 rounded py-0.5 text-left text-sm"
                >
                  <span className={`${linkStyle} group-hover:decoration-2`}>CWE-{ID}</span> {Name}
                </button>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
