import { describe, expect, test } from 'vitest';
import { clampZoom, fittingZoom, middleOfFitting, zoomedIn, zoomedOut, zoomRange, zoomText } from './zoom.ts';

describe('graph zoom (spec 9: 0.1 to 1, initial 0.5)', () => {
  test('has the range of the spec', () => expect(zoomRange).toEqual({ least: 0.1, initial: 0.5, most: 1 }));

  test.each([
    [0.05, 0.1],
    [0.1, 0.1],
    [0.5, 0.5],
    [1, 1],
    [3, 1],
  ])('the zoom %s is limited to %s', (zoom, held) => expect(clampZoom(zoom)).toBe(held));

  test('zooming in and out are inverse and stop at the limits', () => {
    expect(zoomedOut(zoomedIn(0.5))).toBeCloseTo(0.5, 10);
    expect([zoomedIn(0.9), zoomedOut(0.11)]).toEqual([1, 0.1]);
  });

  test.each([
    [{ width: 1000, height: 500 }, 0.8],
    [{ width: 500, height: 2000 }, 0.3],
    [{ width: 0, height: 0 }, 1],
    [{ width: 90_000, height: 10 }, 0.1],
  ])('%o fits into 800 x 600 at zoom %s', (content, zoom) =>
    expect(fittingZoom(content, { width: 800, height: 600 })).toBe(zoom),
  );

  test.each([
    [
      'all points when they fit',
      [
        [0, 0],
        [-300, -100],
        [-500, 0],
      ],
      { x: -250, y: -50 },
    ],
    [
      'the nearest points to 0, 0 when not all fit',
      [
        [0, 0],
        [-900, 0],
        [100, 0],
        [200, 0],
      ],
      { x: 100, y: 0 },
    ],
    [
      '0, 0 when the points of a ring do not fit on both sides of it',
      [
        [500, 0],
        [0, 500],
        [-500, 0],
        [0, -500],
      ],
      { x: 0, y: 0 },
    ],
    ['0, 0 without points', [], { x: 0, y: 0 }],
  ] as const)('the initial view is centered on %s', (_which, points, middle) =>
    expect(
      middleOfFitting(
        points.map(([x, y]) => ({ x, y })),
        { width: 600, height: 600 },
      ),
    ).toEqual(middle),
  );

  test('is shown in percent', () => expect([0.1, 0.512, 1].map(zoomText)).toEqual(['10%', '51%', '100%']));
});
