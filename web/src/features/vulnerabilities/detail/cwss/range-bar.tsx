interface RangeBarProps {
  /** Scores, 0 to 100. */
  lowest: number;
  highest: number;
  present: number;
}

/** The scores that one factor alone could give, on the scale from 0 to 100, with the present score marked. */
export function RangeBar({ lowest, highest, present }: RangeBarProps) {
  return (
    <span aria-hidden className="relative block h-3 w-full">
      <span className="absolute inset-x-0 top-1 h-1 rounded-full bg-line" />
      <span
        className="absolute top-1 h-1 min-w-0.5 rounded-full bg-accent/45"
        style={{ left: `${lowest}%`, width: `${Math.max(0, highest - lowest)}%` }}
      />
      <span
        className="absolute top-0 h-3 w-0.5 -translate-x-px rounded-full bg-text"
        style={{ left: `${present}%` }}
      />
    </span>
  );
}
