import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { byHand } from './made.ts';
import { toast } from './on-screen.ts';
import { goTo, type Visit } from './table.ts';
import type { World } from './world.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'Changed by Ben Pier' });

/** Opens the form of one record for both; Ben is faster. */
async function race(page: Page, world: World, adas: string): Promise<void> {
  const { ben } = world.pages;
  const route = `/dashboard/vulnerabilities/${world.made.vulnerabilities.four}/edit`;
  await goTo(page, world, route);
  await page.getByLabel('Solution', { exact: true }).fill(adas);
  await goTo(ben, world, route);
  await ben.getByLabel('Solution', { exact: true }).fill(`Ben’s answer to ${adas}`);
  await ben.getByRole('button', { name: 'Update' }).click();
  await ben.getByRole('heading', { name: byHand.four, level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Update' }).click();
  await question(page).waitFor();
}

export const conflicts: readonly Visit[] = [
  {
    where: 'a form while somebody else was faster: reload',
    provokes: [{ status: 412, url: /^\/api\/vulnerabilities\/[\da-f-]{36}$/u }],
    open: (page, world) => race(page, world, 'Tint the glass.'),
    rows: [
      { spec: "issue, Editing: 412 shown as 'changed by …'", check: question },
      {
        spec: 'issue, Editing: what differs, yours',
        check: (page) => question(page).getByRole('cell', { name: 'Tint the glass.', exact: true }),
      },
      {
        spec: 'issue, Editing: what differs, theirs',
        check: (page) => question(page).getByRole('cell', { name: 'Ben’s answer to Tint the glass.' }),
      },
      {
        spec: 'issue, Editing: reload',
        async check(page) {
          await question(page).getByRole('button', { name: 'Reload' }).click();
          await expect
            .poll(() => page.getByLabel('Solution', { exact: true }).inputValue())
            .toBe('Ben’s answer to Tint the glass.');
        },
      },
    ],
  },
  {
    where: 'a form while somebody else was faster: overwrite',
    provokes: [{ status: 412, url: /^\/api\/vulnerabilities\/[\da-f-]{36}$/u }],
    open: (page, world) => race(page, world, 'Turn the screen.'),
    rows: [
      {
        spec: 'issue, Editing: or overwrite',
        async check(page) {
          await question(page).getByRole('button', { name: 'Overwrite' }).click();
          await toast(page, 'Vulnerability updated').waitFor();
          await page.getByRole('heading', { name: byHand.four, level: 1 }).waitFor();
          await page.getByText('Turn the screen.', { exact: true }).first().waitFor();
        },
      },
    ],
  },
];
