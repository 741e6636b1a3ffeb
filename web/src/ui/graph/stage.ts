import Graphology from 'graphology';
import { Sigma } from 'sigma';
import { EdgeArrowProgram, EdgeLineProgram } from 'sigma/rendering';
import type { CameraState } from 'sigma/types';
import { createAppearance } from './appearance.ts';
import type { GraphColors } from './colors.ts';
import { labelFont, paintersOf } from './draw.ts';
import { centreRadius, type GraphKind, type GraphNode } from './kinds.ts';
import { nodeLabel, type GraphModel } from './model.ts';
import { ShapeProgram } from './shape-program.ts';
import { clampZoom, fittingZoom, middleOfFitting, zoomRange, type Point } from './zoom.ts';

/** What a stage draws. */
interface StageContent {
  model: GraphModel;
  /** Alternating x and y of the nodes, in pixels at zoom 1. */
  positions: Float32Array;
  /** Nodes from the center to a node, which are highlighted with it; undefined or the node alone: its neighbors are. */
  pathOf: (node: GraphNode) => readonly string[] | undefined;
}

interface StageOptions {
  content: StageContent;
  colors: GraphColors;
  /** Disables camera animations. */
  still: boolean;
  /** Called with the clicked node, or undefined for the background. */
  onPick: (node: GraphNode | undefined) => void;
  onZoom: (zoom: number) => void;
}

/** Pixels kept free around a fitted graph, because labels extend to the right. */
const margin = 110;
/** Pixels kept free around the nodes that are shown first; their labels find room inside. */
const firstMargin = 20;
/** Minimum zoom when a node is centered. */
const nearZoom = 0.8;
/** Half the width of the panel over the right side, on elements that are wide enough for both. */
const panelShift = 156;
const wideEnough = 600;
const moveMs = 140;

export type Stage = ReturnType<typeof createStage>;

/** Draws a graph into an element and handles pointer events. Independent of React. */
export function createStage(host: HTMLElement, options: StageOptions) {
  const { still, onPick, onZoom } = options;
  let { content, colors } = options;
  let hidden: ReadonlySet<GraphKind> = new Set();
  let hovered: GraphNode | undefined;
  let picked: GraphNode | undefined;
  /** Shorter side in pixels: a unit of the layout is a pixel at zoom 1 for any element size. */
  let side = sideOf(host);

  let graph = graphOf(content);
  let appearance = createAppearance({ ...content, graph });

  const painters = paintersOf(() => colors);
  performance.mark('graph:draw-start');
  // Each refresh reads the whole graph, so that sigma receives it last.
  const sigma = new Sigma(new Graphology(), host, {
    allowInvalidContainer: true,
    nodeProgramClasses: { shape: ShapeProgram },
    nodeHoverProgramClasses: { shape: ShapeProgram },
    defaultNodeType: 'shape',
    // In the order of drawing, after sigma's own types, of which `arrow` is used.
    edgeProgramClasses: { line: EdgeLineProgram, lit: EdgeArrowProgram },
    defaultDrawNodeLabel: painters.label,
    defaultDrawEdgeLabel: painters.edgeLabel,
    defaultDrawNodeHover: painters.hover,
    nodeReducer: (id, data) => appearance.node(id, data, { colors, hidden, marked: [hovered, picked] }),
    edgeReducer: (id, data) => appearance.edge(id, data, colors),
    zIndex: true,
    stagePadding: 0,
    minCameraRatio: 1 / zoomRange.most,
    maxCameraRatio: 1 / zoomRange.least,
    enableCameraRotation: false,
    renderEdgeLabels: true,
    labelFont,
    labelSize: 12,
    labelWeight: '500',
    labelRenderedSizeThreshold: 7,
    // All labels are requested; the painters decide which ones have room.
    labelDensity: Number.MAX_SAFE_INTEGER,
    edgeLabelFont: labelFont,
    edgeLabelSize: 11,
    minEdgeThickness: thicknessOf(appearance),
    ...(still && { zoomDuration: 1, inertiaDuration: 1, doubleClickZoomingDuration: 1 }),
  });
  const camera = sigma.getCamera();

  const useSide = () => sigma.setCustomBBox({ x: [-side / 2, side / 2], y: [-side / 2, side / 2] });

  /** Camera position for a point of the layout. */
  const cameraAt = ({ x, y }: Point): Point => ({ x: 0.5 + x / side, y: 0.5 + y / side });

  function move(state: Partial<CameraState>): void {
    if (still) camera.setState(state);
    else void camera.animate(state, { duration: moveMs });
  }

  /** Positions of the visible nodes. */
  const points = ({ model, positions } = content): Point[] =>
    model.nodes.flatMap(({ kind }, index) =>
      hidden.has(kind) ? [] : [{ x: positions[2 * index] ?? 0, y: positions[2 * index + 1] ?? 0 }],
    );

  /** Center and size of the visible nodes. */
  function extent() {
    const visible = points();
    const [xs, ys] = [visible.map(({ x }) => x), visible.map(({ y }) => y)];
    const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    return {
      middle: cameraAt(
        visible.length === 0 ? { x: 0, y: 0 } : { x: (left + right) / 2, y: (bottom + top) / 2 },
      ),
      box: { width: Math.max(0, right - left), height: Math.max(0, top - bottom) },
    };
  }

  function view() {
    const { clientWidth: width, clientHeight: height } = host;
    return { width: width - 2 * Math.min(margin, width / 8), height: height - margin / 2 };
  }

  function light(): void {
    appearance.focusOn(hovered ?? picked);
    sigma.refresh({ skipIndexation: true });
  }

  function setHovered(node: GraphNode | undefined): void {
    hovered = node;
    host.style.cursor = node === undefined ? '' : 'pointer';
    light();
  }

  useSide();
  const firstView = {
    width: (host.clientWidth - 2 * firstMargin) / zoomRange.initial,
    height: (host.clientHeight - 2 * firstMargin) / zoomRange.initial,
  };
  camera.setState({ ...cameraAt(middleOfFitting(points(), firstView)), ratio: 1 / zoomRange.initial });
  camera.on('updated', ({ ratio }) => onZoom(1 / ratio));
  sigma.on('enterNode', ({ node }) => setHovered(content.model.byId.get(node)));
  sigma.on('leaveNode', () => setHovered(undefined));
  sigma.on('clickNode', ({ node }) => onPick(content.model.byId.get(node)));
  sigma.on('clickStage', () => onPick(undefined));
  sigma.on('afterRender', painters.flush);
  sigma.once('afterRender', () => {
    performance.measure('graph:draw', 'graph:draw-start');
    performance.mark('graph:drawn');
  });
  sigma.setGraph(graph);

  let drawnSize = sizeOf(host);
  const resized = new ResizeObserver(() => {
    if (sizeOf(host) === drawnSize) return;
    drawnSize = sizeOf(host);
    const before = side;
    side = sideOf(host);
    const { x, y } = camera.getState();
    sigma.resize();
    useSide();
    sigma.refresh();
    camera.setState(cameraAt({ x: (x - 0.5) * before, y: (y - 0.5) * before }));
  });
  resized.observe(host);

  return {
    zoomTo: (zoom: number) => move({ ratio: 1 / clampZoom(zoom) }),

    /** Fits the graph into the view within the zoom range. */
    fit(): void {
      const all = extent();
      move({ ...all.middle, ratio: 1 / fittingZoom(all.box, view()) });
    },

    /** Moves the view by pixels. */
    pan(right: number, down: number): void {
      const { x, y, ratio } = camera.getState();
      move({ x: x + (right * ratio) / side, y: y - (down * ratio) / side });
    },

    /** Centers a node in the area that its panel does not cover. */
    centreOn({ _id }: GraphNode): void {
      const [x, y] = [graph.getNodeAttribute(_id, 'x') as number, graph.getNodeAttribute(_id, 'y') as number];
      const ratio = Math.min(camera.getState().ratio, 1 / nearZoom);
      const shift = host.clientWidth < wideEnough ? 0 : panelShift * ratio;
      move({ ...cameraAt({ x: x + shift, y }), ratio });
    },

    /** Draws other content in the same view. */
    setContent(next: StageContent): void {
      if (next.model === content.model) return;
      const inNext = (node: GraphNode | undefined) => node && next.model.byId.get(node._id);
      content = next;
      graph = graphOf(next);
      appearance = createAppearance({ ...next, graph });
      picked = inNext(picked);
      hovered = inNext(hovered);
      if (hovered === undefined) host.style.cursor = '';
      appearance.focusOn(hovered ?? picked);
      sigma.setGraph(graph);
      // After the graph, because it reads the whole graph again.
      if (sigma.getSetting('minEdgeThickness') !== thicknessOf(appearance))
        sigma.setSetting('minEdgeThickness', thicknessOf(appearance));
    },

    setPicked(node: GraphNode | undefined): void {
      if (node === picked) return;
      picked = node;
      light();
    },

    setHidden(kinds: ReadonlySet<GraphKind>): void {
      if (kinds === hidden || (kinds.size === 0 && hidden.size === 0)) return;
      hidden = kinds;
      sigma.refresh({ skipIndexation: true });
    },

    setColors(next: GraphColors): void {
      if (next === colors) return;
      colors = next;
      sigma.refresh({ skipIndexation: true });
    },

    end(): void {
      resized.disconnect();
      sigma.kill();
    },
  };
}

/** The nodes and relations as sigma reads them. */
function graphOf({ model, positions }: StageContent): Graphology {
  const graph = new Graphology({ multi: true, type: 'directed' });
  for (const [index, node] of model.nodes.entries()) {
    graph.addNode(node._id, {
      x: positions[2 * index],
      y: positions[2 * index + 1],
      size: node.centre
        ? Math.max(centreRadius, model.coloring.radiusOf(node) + 4)
        : model.coloring.radiusOf(node),
      label: nodeLabel(node),
      kind: node.kind,
      zIndex: node.centre ? 2 : 1,
    });
  }
  for (const { source, target, label } of model.edges)
    graph.addEdge(source._id, target._id, { label, size: 2 });
  return graph;
}

const thicknessOf = ({ isDense }: { isDense: boolean }): number => (isDense ? 1 : 1.5);
const sizeOf = ({ clientWidth, clientHeight }: HTMLElement): string => `${clientWidth} ${clientHeight}`;
const sideOf = (host: HTMLElement): number => Math.max(1, Math.min(host.clientWidth, host.clientHeight));
