import type { GraphKind } from './kinds.ts';

/** The shapes of the shader, 16 units wide. */
const paths = {
  vulnerability: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13Z',
  threat: 'M8 1.8 14.8 13.6H1.2Z',
  asset:
    'M4 2.5h8A1.5 1.5 0 0 1 13.5 4v8a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 12V4A1.5 1.5 0 0 1 4 2.5Z',
  project: 'M8 1.2 13.9 4.6v6.8L8 14.8 2.1 11.4V4.6Z',
} as const satisfies Record<GraphKind, string>;

interface KindShapeProps {
  kind: GraphKind;
  /** Draws only the outline, because the kind is hidden. */
  hollow?: boolean;
  /** Draws the outline of a node, for contrast against similar backgrounds. */
  outlined?: boolean;
}

/** Shape of a kind in the text color. Decoration: its label is next to it. */
export function KindShape({ kind, hollow = false, outlined = false }: KindShapeProps) {
  return (
    <svg aria-hidden width={14} height={14} viewBox="0 0 16 16" className="shrink-0">
      <path
        d={paths[kind]}
        fill={hollow ? 'none' : 'currentColor'}
        stroke={outlined ? 'var(--graph-outline)' : 'currentColor'}
        strokeWidth={outlined ? 1 : 1.5}
        strokeLinejoin="round"
      />
    </svg>
  );
}
