/**
 * Zoom of a graph (spec 9, Graphs and display: range 0.1 to 1, initial 0.5). At 1 a unit of the layout is a pixel of
 * the screen and nodes have their full size.
 */
export const zoomRange = { least: 0.1, initial: 0.5, most: 1 } as const;

/** Factor of one zoom step. */
const step = 1.25;

export interface Box {
  /** In units of the layout. */
  width: number;
  height: number;
}

export const clampZoom = (zoom: number): number => Math.min(zoomRange.most, Math.max(zoomRange.least, zoom));

export const zoomedIn = (zoom: number): number => clampZoom(zoom * step);
export const zoomedOut = (zoom: number): number => clampZoom(zoom / step);

/** Largest zoom within the range at which `content` fits into `view` (pixels). */
export const fittingZoom = (content: Box, view: Box): number =>
  clampZoom(Math.min(view.width / Math.max(1, content.width), view.height / Math.max(1, content.height)));

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Bounds {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

const including = ({ left, right, bottom, top }: Bounds, { x, y }: Point): Bounds => ({
  left: Math.min(left, x),
  right: Math.max(right, x),
  bottom: Math.min(bottom, y),
  top: Math.max(top, y),
});

const fits = ({ left, right, bottom, top }: Bounds, view: Box): boolean =>
  right - left <= view.width && top - bottom <= view.height;

const middleOf = ({ left, right, bottom, top }: Bounds): Point => ({
  x: (left + right) / 2,
  y: (bottom + top) / 2,
});

/** Part of the view that 0, 0 may be away from its middle when not all points fit. */
const mostShift = 1 / 4;

/**
 * Middle of 0, 0 and the points when all fit into `view`, else of the nearest that fit while 0, 0 stays in the middle half
 * of the view: one point of a ring would move it to the edge, where those of the other side no longer fit.
 */
export function middleOfFitting(points: readonly Point[], view: Box): Point {
  const origin: Bounds = { left: 0, right: 0, bottom: 0, top: 0 };
  const all = points.reduce(including, origin);
  if (fits(all, view)) return middleOf(all);
  let shown = origin;
  for (const point of points.toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y))) {
    const next = including(shown, point);
    const { x, y } = middleOf(next);
    const isNear = Math.abs(x) <= mostShift * view.width && Math.abs(y) <= mostShift * view.height;
    if (isNear && fits(next, view)) shown = next;
  }
  return middleOf(shown);
}

/** '50%'. */
export const zoomText = (zoom: number): string => `${Math.round(zoom * 100)}%`;
