import type {
  EdgeLabelDrawingFunction,
  NodeHoverDrawingFunction,
  NodeLabelDrawingFunction,
} from 'sigma/rendering';
import type { GraphColors } from './colors.ts';

export const labelFont = "'Inter Variable', ui-sans-serif, system-ui, sans-serif";

/** Drawing order: highlighted nodes, central node, other nodes, relations. */
interface Wish extends LabelWish {
  readonly text: string;
  readonly rank: number;
  readonly font: string;
  readonly ink: string;
}
const highlightedRank = 3;

interface Painters {
  label: NodeLabelDrawingFunction;
  edgeLabel: EdgeLabelDrawingFunction;
  hover: NodeHoverDrawingFunction;
  /** Draws the collected labels for which there is room. */
  flush: () => void;
}

const frameOf = ({ canvas }: CanvasRenderingContext2D): Box => ({
  x: 4,
  y: 4,
  width: canvas.clientWidth - 8,
  height: canvas.clientHeight - 8,
});

/** Draws text in the middle of a box, with a halo in the background color, so that edges do not cross it. */
function write(context: CanvasRenderingContext2D, { text, font, ink }: Wish, box: Box & { ground: string }) {
  context.font = font;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 4;
  context.strokeStyle = box.ground;
  context.strokeText(text, box.x, box.y + box.height / 2);
  context.fillStyle = ink;
  context.fillText(text, box.x, box.y + box.height / 2);
}

/** Draws a bordered box behind a label. */
function writeBox(context: CanvasRenderingContext2D, box: Box, { ground, accent }: GraphColors): void {
  context.fillStyle = ground;
  context.strokeStyle = accent;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(box.x - 6, box.y - 4, box.width + 12, box.height + 8, 4);
  context.fill();
  context.stroke();
}

/**
 * Label painters for sigma. Labels are collected while sigma renders the nodes and positioned together afterwards,
 * because a label can only avoid labels that are known.
 */
export function paintersOf(colors: () => GraphColors): Painters {
  let target: CanvasRenderingContext2D | undefined;
  let wishes: Wish[] = [];

  function ask(context: CanvasRenderingContext2D, wish: Omit<Wish, 'width'>): void {
    target = context;
    context.font = wish.font;
    wishes.push({ ...wish, width: context.measureText(wish.text).width });
  }

  // Sigma also draws a highlighted node in a layer of its own (`hover`): its label is drawn here only, once.
  const label: NodeLabelDrawingFunction = (context, data, settings) => {
    const { label: text, size, x, y, zIndex, highlighted } = data;
    if (typeof text !== 'string' || text === '') return;
    const font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
    const height = settings.labelSize + 3;
    const node = { text, x, y, height, font, ink: colors().text };
    if (highlighted) ask(context, { ...node, radius: size + 6, rank: highlightedRank, required: true });
    else ask(context, { ...node, radius: size, rank: zIndex ?? 0 });
  };

  // Horizontal, in the middle of the relation: rotated text is hard to read and would overlap horizontal labels.
  const edgeLabel: EdgeLabelDrawingFunction = (_context, { label: text }, source, end, settings) => {
    if (typeof text !== 'string' || text === '' || target === undefined) return;
    const font = `${settings.edgeLabelWeight} ${settings.edgeLabelSize}px ${settings.edgeLabelFont}`;
    const at = { x: (source.x + end.x) / 2, y: (source.y + end.y) / 2, radius: 0 };
    ask(target, { text, ...at, height: settings.edgeLabelSize + 2, rank: -1, font, ink: colors().muted });
  };

  const hover: NodeHoverDrawingFunction = (context, { size, x, y }) => {
    context.strokeStyle = colors().accent;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, size + 3, 0, 2 * Math.PI);
    context.stroke();
  };

  function flush(): void {
    if (target === undefined) return;
    const context = target;
    const { ground } = colors();
    const ranked = wishes.toSorted((a, b) => b.rank - a.rank || b.radius - a.radius);
    const middle = ranked[0]?.x ?? 0;
    for (const [index, box] of positionLabels(ranked, frameOf(context), middle).entries()) {
      const wish = ranked[index];
      if (wish === undefined || box === undefined) continue;
      if (wish.required === true) writeBox(context, box, colors());
      write(context, wish, { ...box, ground });
    }
    wishes = [];
  }

  return { label, edgeLabel, hover, flush };
}

/** A rectangle of the screen, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A label to position next to its node, or on a point when the radius is 0. */
export interface LabelWish {
  readonly x: number;
  readonly y: number;
  /** Radius of the node in pixels. */
  readonly radius: number;
  readonly width: number;
  readonly height: number;
  /** The label is drawn even when it covers nodes. */
  readonly required?: boolean;
}

/** Pixels between a node and its label. */
const labelGap = 5;

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

const within = (box: Box, frame: Box): boolean =>
  box.x >= frame.x &&
  box.y >= frame.y &&
  box.x + box.width <= frame.x + frame.width &&
  box.y + box.height <= frame.y + frame.height;

const discOf = ({ x, y, radius }: LabelWish): Box => ({
  x: x - radius,
  y: y - radius,
  width: 2 * radius,
  height: 2 * radius,
});

/** Possible boxes of a label: away from the center first, so that relations to the center stay visible. */
function seatsOf({ x, y, radius, width, height }: LabelWish, frame: Box, middle: number): Box[] {
  if (radius === 0) return [{ x: x - width / 2, y: y - height / 2, width, height }];
  const right = { x: x + radius + labelGap, y: y - height / 2, width, height };
  const left = { ...right, x: x - radius - labelGap - width };
  // Above and below its node, a label may shift sideways to stay visible.
  const slid = Math.min(Math.max(x - width / 2, frame.x), frame.x + frame.width - width);
  const below = { x: Math.min(Math.max(slid, x - width), x), y: y + radius + 1, width, height };
  const above = { ...below, y: y - radius - 1 - height };
  return [...(x < middle - 1 ? [left, right] : [right, left]), below, above];
}

/**
 * Positions labels so that none covers another label or a node. Earlier labels choose first; a label without room is
 * not drawn, unless it is required (zooming in makes room).
 *
 * @param frame visible area; a label that its edge would cut is the last choice
 * @param middle x of the central node
 * @returns the box of each label, at its index; undefined when there is no room
 */
export function positionLabels(
  wishes: readonly LabelWish[],
  frame: Box,
  middle: number,
): (Box | undefined)[] {
  const discs = wishes.filter(({ radius }) => radius > 0).map(discOf);
  const taken: Box[] = [];
  return wishes.map((wish) => {
    const seats = seatsOf(wish, frame, middle);
    const free = seats.filter(
      (seat) => !taken.some((box) => overlap(box, seat)) && !discs.some((disc) => overlap(disc, seat)),
    );
    const visible = (seat: Box) => within(seat, frame);
    const seat = free.find(visible) ?? (wish.required === true ? (seats.find(visible) ?? seats[0]) : free[0]);
    if (seat !== undefined) taken.push(seat);
    return seat;
  });
}
