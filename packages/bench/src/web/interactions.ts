import type { Page } from 'playwright-core';
import { popupCases } from '../popup-cases.ts';
import { observe, readObserved } from './observe.ts';
import { type Figure, openPage, type Setup, settle } from './setup.ts';

/** Milliseconds from an input to the next frame, and of a task of the page. */
const bars = { inp: 200, task: 50 };
const vulnerabilities = '/dashboard/vulnerabilities';

interface Interaction {
  name: string;
  route: string;
  prepare?: (page: Page) => Promise<unknown>;
  act: (page: Page) => Promise<unknown>;
  width?: number;
}

const others: readonly Interaction[] = [
  {
    name: 'typing a search',
    route: vulnerabilities,
    act: async (page) => {
      await page.getByRole('searchbox').first().click();
      await page.keyboard.type('overflow', { delay: 60 });
    },
  },
  {
    name: 'sorting',
    route: vulnerabilities,
    act: (page) => page.getByRole('columnheader').getByRole('button').first().click(),
  },
  {
    name: 'next page',
    route: vulnerabilities,
    act: (page) => page.getByRole('button', { name: 'Next page' }).click(),
  },
  {
    name: 'another route',
    route: vulnerabilities,
    act: (page) => page.getByRole('link', { name: 'Threats' }).first().click(),
  },
];

/** Popups of other pages need files or members that the bench does not have. */
const interactions: readonly Interaction[] = [
  ...others,
  ...popupCases
    .filter(({ route }) => route.startsWith(vulnerabilities) || route.startsWith('/dashboard/reports/'))
    .map(({ open, ...one }) => ({ ...one, act: open })),
];

async function interactOnce(setup: Setup, one: Interaction): Promise<{ inp: number; task: number }> {
  const { context, page } = await openPage(setup);
  try {
    page.setDefaultTimeout(10_000);
    await page.setViewportSize({ width: one.width ?? 1440, height: 900 });
    await observe(page);
    await page.goto(`${setup.product.origin}${one.route}`);
    await settle(page);
    await one.prepare?.(page);
    if (one.prepare !== undefined) await settle(page);
    await readObserved(page);
    await one.act(page);
    await settle(page);
    const { inp, longTasks } = await readObserved(page);
    return { inp, task: Math.max(0, ...longTasks.map(({ took }) => took)) };
  } finally {
    await context.close();
  }
}

/** Interactions after the page was idle, each in a new browser context. */
export async function measureInteractions(setup: Setup): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const one of interactions) {
    const all: { inp: number; task: number }[] = [];
    for (let run = 0; run < setup.runs; run += 1) all.push(await interactOnce(setup, one));
    figures.push(
      { name: `${one.name}: input to frame`, figures: all.map(({ inp }) => inp), bar: bars.inp },
      { name: `${one.name}: longest task`, figures: all.map(({ task }) => task) },
    );
  }
  return figures;
}

/** Scrolls the page down by steps of the wheel, and turns to the next page of the list. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(720, 500);
  for (let step = 0; step < 30; step += 1) {
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(30);
  }
  await page.getByRole('button', { name: 'Next page' }).click();
  await settle(page);
}

/** A list scrolled and paged with its largest page. */
export async function measureList(setup: Setup): Promise<Figure[]> {
  const tasks: number[] = [];
  const inputs: number[] = [];
  for (let run = 0; run < setup.runs; run += 1) {
    const { context, page } = await openPage(setup);
    await observe(page);
    await page.goto(`${setup.product.origin}${vulnerabilities}?pageSize=100`);
    await settle(page);
    await readObserved(page);
    for (let time = 0; time < 3; time += 1) await scroll(page);
    const { inp, longTasks } = await readObserved(page);
    tasks.push(Math.max(0, ...longTasks.map(({ took }) => took)));
    inputs.push(inp);
    await context.close();
  }
  return [
    { name: 'list scrolled and paged: longest task (0: none over 50)', figures: tasks, bar: bars.task },
    { name: 'list scrolled and paged: input to frame', figures: inputs, bar: bars.inp },
  ];
}
