import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Product, startProduct } from '../support/product.ts';
import { chromiumPath, openBrowser } from '../support/chromium.ts';
import { listenToSocket, receivedStates } from '../support/event-frames.ts';
import { chooseAction, drop, openUpload, person, rowOf, signUp, toastOf } from '../support/pages.ts';
import { largeReport, stix12, stix20, stix21 } from '../support/sample-reports.ts';

const chromium = chromiumPath();
/** Reading one takes longer than the api merges the states of a job, so that each state is sent. */
const three = [stix12, stix20, stix21].map((report) => ({
  ...report,
  buffer: Buffer.concat([report.buffer, Buffer.alloc(4 * 1024 * 1024, ' ')]),
}));
const large = largeReport('a-year-of-techniques.json', 12_000);

/** The main workflow of an analyst, on two api processes and one worker. Each test continues where the previous one ended. */
describe.skipIf(chromium === null)('analyst workflow in a browser', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  let received: ReturnType<typeof listenToSocket>;
  const problems: string[] = [];

  beforeAll(async () => {
    product = await startProduct({ apis: 2 });
    browser = await openBrowser(chromium ?? '');
    page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    page.setDefaultTimeout(30_000);
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    received = listenToSocket(page);
  });

  /** The step that failed. Later ones are skipped; its own second try is not, which would hide the failure. */
  let failed: string | undefined;
  beforeEach((context) => {
    const { id } = context.task;
    if (failed !== undefined && failed !== id) context.skip('an earlier step failed');
    failed = undefined;
    context.onTestFailed(async () => {
      failed = id;
      await page.screenshot({ path: '/tmp/riskboard-journey.png' });
    });
  });

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  const at = (route: string, api = 0) => `${product.origins[api]}${route}`;

  test('sign-up opens the dashboard with a greeting and the organization', async () => {
    await signUp(page, at(''));
    await page.getByRole('heading', { name: /Ada/ }).waitFor();
    await page.getByText('Harbour Authority').first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('three files dropped at once are parsed, and the socket reports their progress', async () => {
    await page.goto(at('/dashboard/reports'));
    await page.getByText('No files found.').waitFor();
    const dialog = await openUpload(page);
    expect(await dialog.getByRole('button', { name: 'Upload', exact: true }).isDisabled()).toBe(true);
    await drop(page, dialog, three);
    for (const kind of ['Vulnerabilities', 'Threats'])
      await dialog.getByRole('checkbox', { name: kind }).uncheck();
    await dialog.getByRole('button', { name: 'Upload 3 files' }).click();
    await toastOf(page, 'STIX reports uploaded').waitFor();
    await page.keyboard.press('Escape');
    for (const { name } of three) {
      await rowOf(page, name).waitFor();
      await expect.poll(() => receivedStates(received, name, 'stix.parse')).toContain('succeeded');
      expect(receivedStates(received, name, 'stix.parse')).toContain('running');
    }
    for (const [name, version] of [
      [stix12.name, '1.2'],
      [stix20.name, '2.0'],
      [stix21.name, '2.1'],
    ] as const) {
      await rowOf(page, name).getByRole('cell', { name: version, exact: true }).waitFor();
    }
  });

  test('vulnerabilities and threats are extracted after a confirmation, followed by a toast', async () => {
    await chooseAction(page, stix21.name, 'Extract vulnerability data');
    const question = `This will extract vulnerabilities from ${stix21.name}. This process may take a few moments.`;
    await page.getByText(question).waitFor();
    await page.getByRole('button', { name: 'Extract', exact: true }).click();
    await toastOf(page, 'Vulnerabilities extracted').waitFor();
    await toastOf(page, '2 were extracted from the file.').waitFor();

    await chooseAction(page, stix20.name, 'Extract threat data');
    await page.getByText(`This will extract threats from ${stix20.name}.`).waitFor();
    await page.getByRole('button', { name: 'Extract', exact: true }).click();
    await toastOf(page, 'Threats extracted').waitFor();
    await toastOf(page, '1 was extracted from the file.').waitFor();

    await chooseAction(page, stix12.name, 'Extract both');
    await page.getByRole('button', { name: 'Extract', exact: true }).click();
    await toastOf(page, 'Vulnerabilities and threats extracted').waitFor();
  });

  test('one CVE in two reports is one vulnerability, asserted by both', async () => {
    await chooseAction(page, stix20.name, 'Extract vulnerability data');
    await page.getByRole('button', { name: 'Extract', exact: true }).click();
    await toastOf(page, /0 were extracted from the file: 1 unchanged/).waitFor();
    await page.goto(at('/dashboard/reports/vulnerabilities'));
    await page.getByText('Crane controller accepts any firmware').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'CVE-2031-10001' }).count()).toBe(1);
    await rowOf(page, 'CVE-2031-10001').getByText('8.8 High').waitFor();
    await rowOf(page, 'CVE-2031-10002').getByText('N/A').first().waitFor();
    await page.goto(at('/dashboard/threats'));
    await rowOf(page, 'Phishing of gate clerks').waitFor();
    await rowOf(page, 'Night Pilots').waitFor();
  });

  test('uploading an existing name asks first and replaces the report', async () => {
    await page.goto(at('/dashboard/reports'));
    const dialog = await openUpload(page);
    await drop(page, dialog, [{ ...stix21, name: stix21.name.toUpperCase().replace('.JSON', '.json') }]);
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
    await page.getByText('Overwrite existing file?').waitFor();
    await page.getByRole('button', { name: 'Overwrite' }).click();
    await toastOf(page, 'STIX replaced').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a file that is not a report is refused with the reason', async () => {
    const dialog = await openUpload(page);
    await drop(page, dialog, [
      {
        name: 'notes.json',
        mimeType: 'application/json',
        buffer: Buffer.from('{"Event":{"info":"a MISP event"}}'),
      },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('plain') },
    ]);
    await dialog.getByText(/Not accepted/).waitFor();
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
    await dialog.getByText(/Failed to upload report:.*MISP/i).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => rowOf(page, 'notes').count()).toBe(0);
  });

  test('the progress of a large report is visible through another api process and after a reload', async () => {
    const watcher = await page.context().newPage();
    const receivedElsewhere = listenToSocket(watcher);
    await watcher.goto(at('/dashboard/jobs', 1));
    await watcher.getByText('Live', { exact: true }).waitFor();
    const dialog = await openUpload(page);
    await drop(page, dialog, [large]);
    await dialog.getByRole('button', { name: 'Upload 1 file' }).click();
    await expect.poll(() => receivedStates(received, large.name, 'stix.parse')).toContain('running');

    await page.reload();
    await page.getByRole('button', { name: /background jobs/i }).click();
    const drawer = page.getByRole('dialog', { name: 'Background jobs' });
    await drawer.getByText(large.name).first().waitFor();
    await expect
      .poll(() => receivedStates(receivedElsewhere, large.name, 'stix.extract'), { timeout: 30_000 })
      .toContain('succeeded');
    const seen = receivedElsewhere.flatMap((message) =>
      message.type === 'job.updated' &&
      message.job.fileName === large.name &&
      message.job.kind === 'stix.parse'
        ? [message.job.progress.done]
        : [],
    );
    expect(new Set(seen).size).toBeGreaterThan(2);
    await watcher.close();
    await page.goto(at('/dashboard/reports'));
    await rowOf(page, large.name).getByText('12,000', { exact: true }).waitFor();
  });

  test('the import report accounts for every object', async () => {
    await chooseAction(page, 'gate-systems.json', 'Open import report');
    await page.waitForURL('**/dashboard/reports/*');
    await page
      .getByRole('heading', { name: /gate-systems\.json/ })
      .first()
      .waitFor();
    await page.getByText('attack-pattern').first().waitFor();
  });

  test('deleting files deletes the records found in no other report', async () => {
    await page.goto(at('/dashboard/reports'));
    await chooseAction(page, large.name, 'Delete');
    await page.getByText('Are you absolutely sure?').waitFor();
    await page
      .getByText(
        'This action cannot be undone. This will permanently delete the file and all associated data.',
      )
      .waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await toastOf(page, 'The file has been successfully deleted.').waitFor();
    await rowOf(page, large.name).waitFor({ state: 'detached' });

    await page
      .getByRole('checkbox', { name: /select all/i })
      .first()
      .check();
    await page.getByRole('button', { name: 'Delete Selected (3)' }).click();
    await page.getByText(/permanently delete 3 selected files/).waitFor();
    await page.getByRole('button', { name: 'Delete 3 files' }).click();
    await toastOf(page, '3 files were removed.').waitFor();
    await page.getByText('No files found.').waitFor();
    await page.goto(at('/dashboard/vulnerabilities'));
    await page.getByText('No vulnerabilities found.').waitFor();
  });

  test('log out, then log in again', async () => {
    await page.getByRole('button', { name: /Hello, Ada/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login**');
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('Invalid credentials, please try again.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('**/dashboard');
  });

  test('the console shows no error but refused calls', () => {
    const expected = /status of (?:401|422)/;
    expect(problems.filter((problem) => !expected.test(problem))).toEqual([]);
  });
});
