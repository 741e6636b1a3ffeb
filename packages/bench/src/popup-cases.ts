import type { Page } from 'playwright-core';

/** A popup: the page that has it, what opens it, and what it shows. */
export interface PopupCase {
  name: string;
  route: string;
  /** CSS selector of the popup; its content is complete when nothing inside is a placeholder. */
  popup: string;
  /** CSS selector of its content, inside the popup. */
  content: string;
  /** Steps before the measured one, such as selecting a row. */
  prepare?: (page: Page) => Promise<unknown>;
  /** The measured click or key. */
  open: (page: Page) => Promise<unknown>;
  /** Pixels; absent: a desktop window. */
  width?: number;
}

const menu = { popup: '[role="menu"]', content: '[role^="menuitem"]' } as const;
const dialog = {
  popup: 'dialog, [role="dialog"], [role="alertdialog"]',
  content: 'h2, button, input',
} as const;
const vulnerabilities = '/dashboard/vulnerabilities';
const data = '/dashboard/reports/vulnerabilities';
const files = '/dashboard/reports';

const button = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();
const item = (name: string | RegExp) => (page: Page) => page.getByRole('menuitem', { name }).first().click();
const key = (keys: string) => (page: Page) => page.keyboard.press(keys);
const rowMenu = button(/^Actions for /u);
const select = (page: Page) =>
  page
    .getByRole('checkbox', { name: /^Select (?!all)/u })
    .first()
    .click();

async function viewsMenu(page: Page): Promise<void> {
  await button('Views')(page);
  await page.getByRole('menu').waitFor();
}

async function openRowMenu(page: Page): Promise<void> {
  await rowMenu(page);
  await page.getByRole('menu').waitFor();
}

async function openBulkEdit(page: Page): Promise<void> {
  await select(page);
  await button(/^Edit Selected/u)(page);
  await page.getByRole('dialog').waitFor();
}

const values = 'ul[aria-label^="Values of"] li, input';

/** Every popup of the pages behind the login that opens with one click or key. */
export const popupCases: readonly PopupCase[] = [
  { name: 'user menu', route: vulnerabilities, ...menu, open: button(/^Hello/u) },
  { name: 'theme menu', route: vulnerabilities, ...menu, open: button(/theme/iu) },
  { name: 'job drawer', route: vulnerabilities, ...dialog, open: button(/^Background jobs/u) },
  {
    name: 'palette, by key',
    route: vulnerabilities,
    popup: '[role="dialog"]',
    content: '[role="option"]',
    open: key('Control+k'),
  },
  {
    name: 'palette, by click',
    route: vulnerabilities,
    popup: '[role="dialog"]',
    content: '[role="option"]',
    open: button(/^Search /u),
  },
  { name: 'shortcut help', route: vulnerabilities, ...dialog, content: 'kbd', open: key('?') },
  {
    name: 'navigation drawer',
    route: vulnerabilities,
    ...dialog,
    content: 'nav a',
    open: button(/navigation/iu),
    width: 390,
  },
  {
    name: 'filter menu',
    route: vulnerabilities,
    popup: '[aria-label="Filters"]',
    content: 'li button',
    open: button('Filter'),
  },
  {
    name: 'filter of known values',
    route: vulnerabilities,
    popup: '[aria-label="Filter by Status"]',
    content: 'label',
    open: button('Filter Status'),
  },
  {
    name: 'filter of a range',
    route: vulnerabilities,
    popup: '[aria-label="Filter by CVSS"]',
    content: values,
    open: button('Filter CVSS'),
  },
  {
    name: 'filter of found values',
    route: data,
    popup: '[aria-label="Filter by CVE"]',
    content: 'ul[aria-label^="Values of"] li',
    open: button('Filter CVE'),
  },
  {
    name: 'column chooser',
    route: vulnerabilities,
    popup: '[aria-label="Columns"]',
    content: 'label',
    open: (page) => page.getByRole('button', { name: 'Columns' }).click(),
  },
  { name: 'views menu', route: vulnerabilities, ...menu, open: button('Views') },
  {
    name: 'save view',
    route: vulnerabilities,
    ...dialog,
    content: 'input',
    prepare: viewsMenu,
    open: item(/^Save as/u),
  },
  { name: 'export menu', route: vulnerabilities, ...menu, open: button('Export') },
  {
    name: 'panel of a row',
    route: vulnerabilities,
    popup: '[data-side-pane]',
    content: 'dt',
    open: (page) => page.getByRole('cell', { name: 'N/A' }).first().click(),
  },
  { name: 'row menu', route: data, ...menu, open: rowMenu },
  {
    name: 'panel of a weakness',
    route: data,
    ...dialog,
    content: 'h2, h3, p',
    open: button(/^CWE-\d+ of /u),
  },
  {
    name: 'selection bar',
    route: vulnerabilities,
    popup: '[aria-label="Selected rows"]',
    content: 'button:nth-of-type(2)',
    open: select,
  },
  {
    name: 'bulk edit',
    route: vulnerabilities,
    ...dialog,
    content: '[role="combobox"]',
    prepare: select,
    open: button(/^Edit Selected/u),
  },
  {
    name: 'bulk deletion',
    route: vulnerabilities,
    ...dialog,
    prepare: select,
    open: button(/^Delete Selected/u),
  },
  {
    name: 'select of a form',
    route: vulnerabilities,
    popup: '[role="listbox"]',
    content: '[role="option"]',
    prepare: openBulkEdit,
    open: (page) => page.getByRole('combobox', { name: 'Status' }).click(),
  },
  { name: 'upload menu', route: files, ...menu, open: button('Data Upload') },
  {
    name: 'upload dialog',
    route: files,
    ...dialog,
    content: 'h2',
    prepare: async (page) => {
      await button('Data Upload')(page);
      await page.getByRole('menu').waitFor();
    },
    open: item('Upload STIX/TAXII'),
  },
  { name: 'file menu', route: files, ...menu, open: rowMenu },
  {
    name: 'extraction of a file',
    route: files,
    ...dialog,
    content: 'h2',
    prepare: openRowMenu,
    open: item(/^Extract vulnerab/u),
  },
  {
    name: 'deletion of a file',
    route: files,
    ...dialog,
    content: 'h2',
    prepare: openRowMenu,
    open: item('Delete'),
  },
  {
    name: 'invitation',
    route: '/dashboard/settings/members',
    ...dialog,
    content: 'input',
    open: button('Invite member'),
  },
  {
    name: 'new token',
    route: '/dashboard/settings/tokens',
    ...dialog,
    content: 'input',
    open: button('New token'),
  },
];
