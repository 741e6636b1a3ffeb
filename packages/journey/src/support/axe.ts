import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] as const;

/** All rules in one theme; in the other theme only the rules that a theme can affect. */
export type AxeRules = 'all' | 'colors';

const chosen = {
  all: { values: [...tags], type: 'tag' },
  colors: { values: ['color-contrast', 'link-in-text-block'], type: 'rule' },
} as const;

/**
 * Serious and critical violations of WCAG 2.2 AA, by axe.
 * @param part selector of the part to check; absent: the whole page
 */
export async function seriousViolations(page: Page, rules: AxeRules, part?: string): Promise<string[]> {
  // Each analysis would send and parse the 1.3 MB of axe twice; a page that was opened without loading has it already.
  const isLoaded = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: 'undefined' }) })
    .options({
      runOnly: { ...chosen[rules], values: [...chosen[rules].values] },
      resultTypes: ['violations'],
    })
    // Without a second page for each analysis, which only pages with frames need.
    .setLegacyMode(true);
  const { violations } = await (part === undefined ? axe : axe.include(part)).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 200)).join(' | ')}`);
}
