import type {
  EdgeLabelDrawingFunction,
  NodeHoverDrawingFunction,
  NodeLabelDrawingFunction,
} from 'sigma/rendering';
import type { GraphColors } from './colors.ts';
import { placeLabels, type Box, type LabelWish } from './labels.ts';

export const labelFont = "'Inter Variable', ui-sans-serif, system-ui, sans-serif";

/** Node in the middle, other nodes, relations: who comes first is written first. */
interface Wish extends LabelWish {
  readonly text: string;
  readonly rank: number;
  readonly font: string;
  readonly ink: string;
}

interface Painters {
  label: NodeLabelDrawingFunction;
  edgeLabel: EdgeLabelDrawingFunction;
  hover: NodeHoverDrawingFunction;
  /** Writes what was asked for since the last time, as far as there is room. */
  flush: () => void;
}

const frameOf = ({ canvas }: CanvasRenderingContext2D): Box => ({
  x: 4,
  y: 4,
  width: canvas.clientWidth - 8,
  height: canvas.clientHeight - 8,
});

/** Words in the middle of a box, on a halo of the ground, so that edges do not cross them out. */
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

/**
 * How names are written: collected while sigma goes through the nodes, and placed together when it is done, because a
 * name can only keep clear of others that are known.
 */
export function paintersOf(colors: () => GraphColors): Painters {
  let target: CanvasRenderingContext2D | undefined;
  let wishes: Wish[] = [];

  function ask(context: CanvasRenderingContext2D, wish: Omit<Wish, 'width'>): void {
    target = context;
    context.font = wish.font;
    wishes.push({ ...wish, width: context.measureText(wish.text).width });
  }

  const label: NodeLabelDrawingFunction = (context, { label: text, size, x, y, zIndex }, settings) => {
    if (typeof text !== 'string' || text === '') return;
    const font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
    const height = settings.labelSize + 3;
    ask(context, { text, x, y, radius: size, height, rank: zIndex ?? 0, font, ink: colors().text });
  };

  // Straight, in the middle of the relation: turned words are hard to read, and cannot keep clear of level ones.
  const edgeLabel: EdgeLabelDrawingFunction = (_context, { label: text }, source, end, settings) => {
    if (typeof text !== 'string' || text === '' || target === undefined) return;
    const font = `${settings.edgeLabelWeight} ${settings.edgeLabelSize}px ${settings.edgeLabelFont}`;
    const at = { x: (source.x + end.x) / 2, y: (source.y + end.y) / 2, radius: 0 };
    ask(target, { text, ...at, height: settings.edgeLabelSize + 2, rank: -1, font, ink: colors().muted });
  };

  const hover: NodeHoverDrawingFunction = (context, data, settings) => {
    const { size, x, y, label: text } = data;
    const { ground, accent, text: ink } = colors();
    context.strokeStyle = accent;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, size + 3, 0, 2 * Math.PI);
    context.stroke();
    if (typeof text !== 'string' || text === '') return;
    const font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
    context.font = font;
    const width = context.measureText(text).width;
    const height = settings.labelSize + 3;
    const wish: Wish = { text, x, y, radius: size + 6, width, height, rank: 0, font, ink };
    const [box] = placeLabels([wish], frameOf(context), x);
    if (box === undefined) return;
    context.fillStyle = ground;
    context.lineWidth = 1;
    context.beginPath();
    context.roundRect(box.x - 6, box.y - 4, box.width + 12, box.height + 8, 4);
    context.fill();
    context.stroke();
    write(context, wish, { ...box, ground });
  };

  function flush(): void {
    if (target === undefined) return;
    const context = target;
    const { ground } = colors();
    const ranked = wishes.toSorted((a, b) => b.rank - a.rank || b.radius - a.radius);
    const middle = ranked[0]?.x ?? 0;
    for (const [place, box] of placeLabels(ranked, frameOf(context), middle).entries()) {
      const wish = ranked[place];
      if (wish !== undefined && box !== undefined) write(context, wish, { ...box, ground });
    }
    wishes = [];
  }

  return { label, edgeLabel, hover, flush };
}
