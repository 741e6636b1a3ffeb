/** Most labels below a chart: more of them overlap on a narrow screen. */
const mostLabels = 6;

/** The labels of the points of the horizontal axis; those between the shown ones are empty. */
export const thinLabels = (points: readonly { readonly label: string }[]): string[] =>
  points.map(({ label }, n) => (n % Math.ceil(points.length / mostLabels) === 0 ? label : ''));
