/** A rectangle of the screen, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A name that wants to be written beside its node, or on a point when the radius is 0. */
export interface LabelWish {
  readonly x: number;
  readonly y: number;
  /** Pixels from the middle of the node to its rim. */
  readonly radius: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels between a node and its name. */
export const labelGap = 5;

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

/** Where a name may stand: away from the middle first, so that the relations that lead there stay free. */
function seatsOf({ x, y, radius, width, height }: LabelWish, frame: Box, middle: number): Box[] {
  if (radius === 0) return [{ x: x - width / 2, y: y - height / 2, width, height }];
  const right = { x: x + radius + labelGap, y: y - height / 2, width, height };
  const left = { ...right, x: x - radius - labelGap - width };
  // Above and below, a name may slide along its node to stay within what is seen.
  const slid = Math.min(Math.max(x - width / 2, frame.x), frame.x + frame.width - width);
  const below = { x: Math.min(Math.max(slid, x - width), x), y: y + radius + 1, width, height };
  const above = { ...below, y: y - radius - 1 - height };
  return [...(x < middle - 1 ? [left, right] : [right, left]), below, above];
}

/**
 * Places names so that none lies over another one or over a node: who comes first has the first choice, who finds no
 * room is not written (zooming in makes room).
 *
 * @param frame what of the screen is seen; a name that would be cut at its rim is the last choice
 * @param middle x of the node in the middle
 * @returns the box of each wish, at its place; undefined: there is no room
 */
export function placeLabels(wishes: readonly LabelWish[], frame: Box, middle: number): (Box | undefined)[] {
  const discs = wishes.filter(({ radius }) => radius > 0).map(discOf);
  const taken: Box[] = [];
  return wishes.map((wish) => {
    const free = seatsOf(wish, frame, middle).filter(
      (seat) => !taken.some((box) => overlap(box, seat)) && !discs.some((disc) => overlap(disc, seat)),
    );
    const seat = free.find((box) => within(box, frame)) ?? free[0];
    if (seat !== undefined) taken.push(seat);
    return seat;
  });
}
