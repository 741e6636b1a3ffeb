/**
 * Rounds values so that the rounded ones add up exactly to the rounded total (largest remainder method): a list of signed
 * causes stays exact on the screen. A value changes by at most one unit of the last decimal, and by less than two where
 * the total is rounded away from the sum.
 * @param total the sum of the values; it may differ by less than one unit of the last decimal
 * @param decimals 0-6
 */
export function roundToSum(values: readonly number[], total: number, decimals: number): number[] {
  const unit = 10 ** decimals;
  const scaled = values.map((value) => value * unit);
  const floors = scaled.map((value) => Math.floor(value + tolerance));
  const missing = Math.round(total * unit) - floors.reduce((sum, value) => sum + value, 0);
  // A single value can miss two units: 0.6 of a total of 1.5.
  const each = Math.trunc(missing / values.length);
  const rest = missing % values.length;
  const byRemainder = scaled
    .map((value, at) => ({ at, remainder: value - (floors[at] ?? 0) }))
    .toSorted((one, other) => other.remainder - one.remainder)
    .map(({ at }) => at);
  const moved = new Set(rest < 0 ? byRemainder.slice(rest) : byRemainder.slice(0, rest));
  return floors.map((floor, at) => (floor + each + (moved.has(at) ? Math.sign(rest) : 0)) / unit);
}

/** Binary fractions such as 0.1 + 0.2 must not move a value that has few decimals. */
const tolerance = 1e-6;
