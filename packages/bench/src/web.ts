import { parseArgs } from 'node:util';
import { launchBrowser, openWindow } from './browser.ts';
import { conditions } from './conditions.ts';
import { startControl } from './control.ts';
import { fillOrganization } from './list-rows.ts';
import { type Product, startProduct } from './product.ts';
import { measureDrawer } from './web/drawer.ts';
import { measureInteractions, measureList } from './web/interactions.ts';
import { measureLoads } from './web/load.ts';
import { type Figure, print, type Setup } from './web/setup.ts';

const parts: Readonly<Record<string, (setup: Setup) => Promise<Figure[]>>> = {
  load: measureLoads,
  interactions: measureInteractions,
  list: measureList,
  drawer: measureDrawer,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '5' },
  },
});
const chosen = positionals.length === 0 ? Object.keys(parts) : positionals;
const unknown = chosen.filter((name) => parts[name] === undefined);
if (unknown.length > 0)
  throw new Error(`Parts are ${Object.keys(parts).join(', ')}, not ${unknown.join(', ')}`);

async function prepare(product: Product): Promise<string> {
  const { rows } = await product.admin.query<{ id: string }>(
    'select organization_id as id from organization',
  );
  const organization = rows[0]?.id ?? '';
  await fillOrganization(product.admin, organization, { rows: Number(values.rows) });
  await product.admin.query('vacuum analyze');
  const { rows: assets } = await product.admin.query<{ id: string }>(
    'select asset_id as id from vulnerability_asset order by vulnerability_id limit 1',
  );
  return assets[0]?.id ?? '';
}

const product = await startProduct({ TRUSTED_PROXIES: 'loopback' });
const browser = await launchBrowser();
let missed = 0;
try {
  const setup: Setup = { product, browser, runs: Number(values.runs), asset: await prepare(product) };
  console.log(`${conditions()}, Chromium ${browser.version()}, ${values.rows} rows of each list`);
  console.log(`minimum / median / maximum of ${setup.runs} runs`);
  const control = await startControl(await openWindow(browser, product));
  for (const name of chosen) {
    console.log(name);
    for (const figure of (await parts[name]?.(setup)) ?? []) if (!print(figure)) missed += 1;
  }
  console.log(`a task of 5 ms in another tab took up to ${(await control()).toFixed(0)} ms`);
} finally {
  await browser.close();
  await product.stop();
}
console.log(missed === 0 ? 'every bar is met' : `${missed} bars are missed`);
process.exitCode = missed === 0 ? 0 : 1;
