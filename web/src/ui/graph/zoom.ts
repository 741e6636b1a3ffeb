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

/** Middle of the points that fit into `view` together with 0, 0, the nearest first: of all points when they fit. */
export function middleOfFitting(points: readonly Point[], view: Box): Point {
  let [left, right, bottom, top] = [0, 0, 0, 0];
  for (const { x, y } of points.toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y))) {
    const [west, east] = [Math.min(left, x), Math.max(right, x)];
    const [south, north] = [Math.min(bottom, y), Math.max(top, y)];
    if (east - west <= view.width && north - south <= view.height)
      [left, right, bottom, top] = [west, east, south, north];
  }
  return { x: (left + right) / 2, y: (bottom + top) / 2 };
}

/** '50%'. */
export const zoomText = (zoom: number): string => `${Math.round(zoom * 100)}%`;
