import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { chromiumPath } from '../chromium.ts';
import { filesList } from './files-list.ts';
import { narrowing } from './narrowing.ts';
import { lookAt } from './table.ts';
import { threatLists } from './threat-lists.ts';
import { vulnerabilityLists } from './vulnerability-lists.ts';
import { startWorld, type World } from './world.ts';

const chromium = chromiumPath();

/** Every text and control of the analyst's desk that the specification names, in the whole product. */
describe.skipIf(chromium === null)("the analyst's desk", () => {
  let world: World;
  const there = () => world;

  beforeAll(async () => {
    world = await startWorld(chromium ?? '');
  });
  beforeEach((context) =>
    context.onTestFailed(async () => {
      await world.pages.ada.screenshot({ path: `/tmp/riskboard-desk-${context.task.id}.png` });
    }),
  );
  afterAll(() => world?.end());

  lookAt(there, vulnerabilityLists);
  lookAt(there, threatLists);
  lookAt(there, filesList);
  lookAt(there, narrowing);
});
