import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assetMatcher,
  type AssetTexts,
  recordMatcher,
  type RecordTexts,
  suggestionReasons,
} from './reasons.ts';

const noAsset: AssetTexts = { name: '', description: '', reference: '' };
const noRecord: RecordTexts = { name: '', description: '', identifier: '', affectedProducts: [] };

function suggest(asset: Partial<AssetTexts>, record: Partial<RecordTexts>, dependency?: string) {
  return suggestionReasons(
    assetMatcher({ ...noAsset, ...asset }),
    recordMatcher({ ...noRecord, ...record }),
    dependency,
  );
}
const found = (...args: Parameters<typeof suggest>): [string, string][] =>
  suggest(...args).reasons.map(({ kind, quote }) => [kind, quote]);

const log4j = 'cpe:2.3:a:apache:log4j:2.14.1:*:*:*:*:*:*:*';

describe('a record is suggested for an asset', () => {
  it.each<[string, Partial<AssetTexts>, Partial<RecordTexts>, [string, string][]]>([
    [
      'whose description names the affected product of a CPE 2.3 name',
      { description: 'Writes its log with Log4j 2.' },
      { affectedProducts: [log4j] },
      [['product', 'Log4j']],
    ],
    [
      'whose reference names the product of a CPE 2.2 name with an encoded character',
      { reference: 'https://wiki.example.org/notepad++' },
      { affectedProducts: ['cpe:/a:don_ho:notepad%2b%2b:8.1'] },
      [['product', 'notepad']],
    ],
    [
      'whose name has the product with other characters between its tokens',
      { name: 'Kiosk: Internet-Explorer' },
      { affectedProducts: ['cpe:2.3:a:microsoft:internet_explorer:11:*:*:*:*:*:*:*'] },
      [['product', 'Internet-Explorer']],
    ],
    [
      'that names a product without the generic term at its end',
      { name: 'Exchange 2019' },
      { affectedProducts: ['cpe:2.3:a:microsoft:exchange_server:2019:*:*:*:*:*:*:*'] },
      [['product', 'Exchange']],
    ],
    [
      'that names a product of a STIX 1 report without its version',
      { description: 'OpenSSL for all services' },
      { affectedProducts: ['OpenSSL 1.0.1f'] },
      [['product', 'OpenSSL']],
    ],
    [
      'that names only the vendor',
      { description: 'From Apache.' },
      { affectedProducts: [log4j] },
      [['vendor', 'Apache']],
    ],
    [
      'that names its CVE, in any case',
      { description: 'Not yet patched: cve-2021-44228' },
      { identifier: 'CVE-2021-44228' },
      [['identifier', 'cve-2021-44228']],
    ],
    [
      'whose whole name is in the name of the record',
      { name: 'Harbour crane' },
      { name: 'Overflow in HARBOUR CRANE control' },
      [['name', 'HARBOUR CRANE']],
    ],
    [
      'whose whole name is in the description of the record',
      { name: 'Harbour crane' },
      { description: 'It stops every harbour crane.' },
      [['name', 'harbour crane']],
    ],
    [
      'that has a distinctive term of its name in common with the name of the record',
      { name: 'PostgreSQL primary' },
      { name: 'postgresql: buffer overflow' },
      [['term', 'postgresql']],
    ],
    [
      'that has a distinctive term of its name in common with a name in the description',
      { name: 'PostgreSQL primary' },
      { description: 'Versions of PostgreSQL before 13.' },
      [['term', 'PostgreSQL']],
    ],
    ['in another script', { name: 'Сервер Порт' }, { name: 'Атака на ПОРТ' }, [['term', 'ПОРТ']]],
    [
      'with composed characters in another form',
      { name: 'Ka\u0308sekuchen' },
      { name: 'KÄSEKUCHEN leaks' },
      [['name', 'KÄSEKUCHEN']],
    ],
  ])('%s', (_case, asset, record, reasons) => {
    expect(found(asset, record)).toEqual(reasons);
    expect(suggest(asset, record).rank).toBeGreaterThan(0);
  });

  it('when it is related to an asset that this one depends on', () => {
    expect(found({}, {}, 'Gate')).toEqual([['dependency', 'Gate']]);
    expect(suggest({}, {}, 'Gate').reasons[0]?.text).toBe('Related to “Gate”, which the asset depends on.');
  });
});

describe('nothing is suggested', () => {
  it.each<[string, Partial<AssetTexts>, Partial<RecordTexts>]>([
    ['for empty texts', {}, {}],
    ['for a part of a longer term', { name: 'Log4jasper' }, { affectedProducts: [log4j] }],
    ['for a part of a longer term in another script', { name: 'Порт' }, { name: 'Аэропорты закрыты' }],
    [
      'for a generic term of both names',
      { name: 'Web application server' },
      { name: 'Web server application' },
    ],
    [
      'for a product that is generic',
      { name: 'The application server', description: 'A data center' },
      { affectedProducts: ['cpe:2.3:a:-:application_server:1.0', 'cpe:2.3:a:*:data_center:*'] },
    ],
    ['for a version', { name: 'v2 2019' }, { affectedProducts: ['cpe:2.3:a:2019:v2:2'], name: '2019' }],
    [
      'for a term of two characters',
      { description: 'hp go' },
      { affectedProducts: ['cpe:2.3:a:hp:go:1', 'cpe:2.3:a:x:x:1'] },
    ],
    ['for a name of three characters', { name: 'SAP' }, { name: 'SAP overflow' }],
    [
      'for terms that other texts separate',
      { description: 'Internet. Explorer of caves' },
      { affectedProducts: ['cpe:2.3:a:x:internet_explorer:11'] },
    ],
    [
      'for a term in a description that is not written as a name',
      { name: 'Harbour crane' },
      { description: 'the crane lifts' },
    ],
    [
      'for the tools, hardware parts or wildcards of a CPE name',
      { description: 'cpe star any log' },
      { affectedProducts: ['cpe:2.3:a:*:*:*', 'cpe:2.3:x:star:any:1'] },
    ],
  ])('%s', (_case, asset, record) => {
    expect(suggest(asset, record)).toEqual({ rank: 0, reasons: [] });
  });
});

describe('the rank', () => {
  const asset = { name: 'PostgreSQL for billing', description: 'From Apache, with Log4j' };
  it('is that of the strongest reason, and slightly more for each further reason', () => {
    const one = suggest(asset, { affectedProducts: [log4j] });
    const two = suggest(asset, { affectedProducts: [log4j], name: 'PostgreSQL and Log4j' });
    expect(two.rank).toBeGreaterThan(one.rank);
    expect(two.reasons[0]).toEqual(one.reasons[0]);
  });
  it('orders identifier, product, name, term, vendor and dependency', () => {
    const description = 'CVE-2021-44228';
    const ranks = [
      suggest({ description }, { identifier: 'CVE-2021-44228' }),
      suggest({ name: 'Log4j' }, { affectedProducts: [log4j] }),
      suggest({ name: 'Harbour crane' }, { name: 'Harbour crane' }),
      suggest({ name: 'Harbour crane' }, { name: 'Harbour' }),
      suggest({ name: 'Apache' }, { affectedProducts: [log4j] }),
      suggest({}, {}, 'Gate'),
    ].map(({ rank }) => rank);
    expect(ranks).toEqual(ranks.toSorted((one, other) => other - one));
    expect(new Set(ranks).size).toBe(ranks.length);
  });
});

describe('for any texts', () => {
  const piece = fc.oneof(
    fc.constantFrom('Log4j', 'apache', 'server', 'Harbour', 'crane', 'ß', 'İstanbul', 'Ä', 'CVE-2021-44228'),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const text = fc
    .array(fc.tuple(piece, fc.constantFrom(' ', '-', '_', '. ', '')), { maxLength: 8 })
    .map((parts) => parts.flat().join(''));
  const product = fc.oneof(
    text,
    fc.tuple(piece, piece).map(([vendor, name]) => `cpe:2.3:a:${vendor}:${name}:1.0`),
  );
  const pair = fc.record({
    asset: fc.record({ name: text, description: text, reference: text }),
    record: fc.record({
      name: text,
      description: text,
      identifier: fc.constantFrom('', 'CVE-2021-44228', 'T1566'),
      affectedProducts: fc.array(product, { maxLength: 3 }),
    }),
  });

  it('each quote occurs in a text of the asset or the record, between word boundaries', () => {
    let reasons = 0;
    fc.assert(
      fc.property(pair, ({ asset, record }) => {
        for (const { quote, kind } of suggest(asset, record).reasons) {
          reasons += 1;
          const texts =
            kind === 'name' || kind === 'term' ? [record.name, record.description] : Object.values(asset);
          const isWhole = texts.some((where) => {
            for (let at = where.indexOf(quote); at !== -1; at = where.indexOf(quote, at + 1)) {
              const before = Array.from(where.slice(0, at)).at(-1) ?? ' ';
              const after = Array.from(where.slice(at + quote.length))[0] ?? ' ';
              if (![before, after].some((char) => /[\p{L}\p{N}\p{M}]/u.test(char))) return true;
            }
            return false;
          });
          expect({ quote, isWhole }).toEqual({ quote, isWhole: true });
          expect(Array.from(quote).length).toBeGreaterThanOrEqual(3);
        }
      }),
      { seed: 20_261_122, numRuns: 400 },
    );
    expect(reasons).toBeGreaterThan(50);
  });

  it('every affected product that a reason names is one of the record', () => {
    fc.assert(
      fc.property(pair, ({ asset, record }) => {
        for (const { kind, text: reason } of suggest(asset, record).reasons) {
          if (kind !== 'product' && kind !== 'vendor') continue;
          const named = /from the affected product “(.*)”\.$/su.exec(reason)?.[1] ?? 'absent';
          expect(record.affectedProducts.some((one) => one.includes(named))).toBe(true);
        }
      }),
      { seed: 20_261_122, numRuns: 400 },
    );
  });
});
