/** Whether an object or list that JSON.parse returned has more than `levels` of them inside each other, itself included. */
export function nestsDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  for (const inner of Array.isArray(value) ? (value as unknown[]) : Object.values(value))
    if (typeof inner === 'object' && inner !== null && nestsDeeper(inner, levels - 1)) return true;
  return false;
}
