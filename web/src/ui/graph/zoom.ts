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

/** '50%'. */
export const zoomText = (zoom: number): string => `${Math.round(zoom * 100)}%`;
