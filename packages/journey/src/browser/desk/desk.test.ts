import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chromiumPath } from '../chromium.ts';
import { lookForBarriers } from './accessibility.ts';
import { changes } from './changes.ts';
import { conflicts } from './conflicts.ts';
import { details } from './details.ts';
import { filesList } from './files-list.ts';
import { finding } from './finding.ts';
import { forms } from './forms.ts';
import { graphs } from './graphs.ts';
import { narrowing } from './narrowing.ts';
import { lookAt } from './table.ts';
import { threatLists } from './threat-lists.ts';
import { vulnerabilityLists } from './vulnerability-lists.ts';
import { weaknesses } from './weaknesses.ts';
import { workLists } from './work-lists.ts';
import { viewer } from './viewer.ts';
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
  lookAt(there, workLists);
  lookAt(there, narrowing);
  lookAt(there, details);
  lookAt(there, graphs);
  lookAt(there, weaknesses);
  lookAt(there, finding);
  lookAt(there, forms);
  lookAt(there, conflicts);
  lookAt(there, viewer, 'vera');
  lookAt(there, changes);
  lookForBarriers(there);

  test('nothing went wrong in any console but what was announced, and no policy was broken', () => {
    expect(world.complaints).toEqual([]);
    expect(world.announced.missing()).toEqual([]);
  });
});
