import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAll } from '../../testing/test-sink.ts';

const mitre = 'http://stix.mitre.org/';
const oasis = 'http://docs.oasis-open.org/cti/ns/stix/';
const namespaces: Record<string, string> = {
  stix: `${mitre}stix-1`,
  c: `${mitre}common-1`,
  report: `${mitre}Report-1`,
  report2: `${oasis}report-1`,
  core2: `${oasis}core-1`,
  ttp: `${mitre}TTP-1`,
  i: `${mitre}Incident-1`,
  ind: `${mitre}Indicator-2`,
  cybox: 'http://cybox.mitre.org/cybox-2',
  cybox2: 'http://docs.oasis-open.org/cti/ns/cybox/core-2',
  ext: `${mitre}extensions/Anything-1`,
  x: 'urn:x-acme',
  ioc: 'http://schemas.mandiant.com/2010/ioc',
  ex: 'urn:ex',
};

/** Local names of the constructs, and the type that the accounting shows. */
const constructs = {
  Exploit_Target: 'ExploitTarget',
  TTP: 'TTP',
  Threat_Actor: 'ThreatActor',
  Campaign: 'Campaign',
  Indicator: 'Indicator',
  Incident: 'Incident',
  Course_Of_Action: 'CourseOfAction',
  Observable: 'Observable',
  Report: 'Report',
} as const;
type Local = keyof typeof constructs;
const locals = Object.keys(constructs) as Local[];

let count = 0;
const nextId = (): string => `ex:${(count += 1)}`;
const element = (name: string, attributes: string, inside: string): string =>
  `<${name} ${attributes}>${inside}</${name}>`;

/** A definition; the attribute `counted` marks it for the naive count, which knows nothing else of the document. */
const defined = (name: string, type: string, inside: string): string =>
  element(name, `id="${nextId()}" counted="${type}"`, inside);

const prefixOf = (local: Local): fc.Arbitrary<string> =>
  local === 'Observable'
    ? fc.constantFrom('stix', 'c', 'ind', 'cybox', 'cybox2', 'ext')
    : fc.constantFrom('stix', 'c', 'report', 'report2', 'core2', 'ttp', 'i', 'ind', 'ext');
const named: fc.Arbitrary<[string, Local]> = fc
  .constantFrom(...locals)
  .chain((local) => fc.tuple(prefixOf(local), fc.constant(local)));

/** Content that defines nothing at any position. */
const decoys = fc.oneof(
  named.map(([prefix, local]) => element(`${prefix}:${local}`, `idref="${nextId()}"`, '')),
  named.map(([prefix, local]) => element(`${prefix}:${local}`, '', ' \n ')),
  fc.constantFrom(
    '<!-- <stix:TTP id="ex:0"/> -->',
    '<![CDATA[<stix:TTP id="ex:0"/>]]>',
    '<ioc:ioc id="a"><ioc:Indicator id="b"/><x:Thing id="c"/></ioc:ioc>',
    '<stix:Handling><x:Marking id="a"/></stix:Handling>',
    'text',
    '<c:Title>text</c:Title>',
  ),
);

const wrappers = [
  'stix:TTPs',
  'stix:Related_Packages',
  'stix:Package',
  'report:TTPs',
  'report2:Observables',
  'ttp:Related_TTPs',
  'i:COA_Taken',
  'cybox:Observable_Composition',
  'x:Things',
  'stix:STIX_Header',
];

const { content } = fc.letrec<{ content: string; node: string }>((tie) => ({
  content: fc.array(tie('node'), { maxLength: 4, size: 'max' }).map((nodes) => nodes.join('')),
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'max', withCrossShrink: true },
    decoys,
    // With an id.
    fc
      .tuple(named, tie('content'))
      .map(([[prefix, local], inside]) => defined(`${prefix}:${local}`, constructs[local], inside)),
    // Without an id, by its content.
    fc
      .tuple(named, tie('content'))
      .map(([[prefix, local], inside]) =>
        element(`${prefix}:${local}`, `counted="${constructs[local]}"`, `<ttp:Title>a</ttp:Title>${inside}`),
      ),
    // By its schema type.
    fc
      .tuple(fc.constantFrom('ttp:TTPType', 'ext:CampaignType', 'cybox:ObservableType'), tie('content'))
      .map(([type, inside]) => {
        const kind = type.replace(/^.*:|Type$/g, '');
        return element('x:Thing', `id="${nextId()}" counted="${kind}" xsi:type="${type}"`, inside);
      }),
    // Unknown to STIX.
    fc
      .tuple(fc.constantFrom('Thing', ...locals), tie('content'))
      .map(([local, inside]) => defined(`x:${local}`, `{urn:x-acme}${local}`, inside)),
    // A relationship around definitions of the same kind.
    fc
      .tuple(fc.constantFrom('ttp', 'i', 'x'), fc.constantFrom(...locals), fc.boolean(), tie('content'))
      .map(([prefix, local, hasConfidence, inside]) =>
        element(
          `${prefix}:${local}`,
          '',
          `${hasConfidence ? '<c:Confidence/>' : ''}${defined(`c:${local}`, constructs[local], inside)}`,
        ),
      ),
    fc
      .tuple(fc.constantFrom(...wrappers), tie('content'))
      .map(([wrapper, inside]) => element(wrapper, '', inside)),
    // Parts of a construct may have ids.
    tie('content').map((inside) =>
      defined('stix:TTP', 'TTP', element('ttp:Malware_Instance', `id="${nextId()}"`, inside)),
    ),
  ),
}));

const declarations = Object.entries(namespaces).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
const instance = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

test('every definition at any position of a document is in the accounting once, in document order', async () => {
  let most = 0;
  await fc.assert(
    fc.asyncProperty(content, fc.constantFrom(7, 64, 1 << 20), async (inside, chunkSize) => {
      const text = `<stix:STIX_Package ${declarations.join(' ')} ${instance} version="1.2">${inside}</stix:STIX_Package>`;
      const naive = [...text.matchAll(/ counted="([^"]+)"/g)].map(([, type]) => type);
      most = Math.max(most, naive.length);
      const { objects, summary } = await readAll(text, chunkSize);
      expect(objects.map(({ type }) => type)).toEqual(naive);
      expect(objects.map(({ ordinal }) => ordinal)).toEqual(naive.map((_, index) => index));
      expect(new Set(objects.map(({ location }) => location)).size).toBe(naive.length);
      expect(summary.mapped + summary.unmapped + summary.failed).toBe(naive.length);
      const histogram = Object.values(summary.objects).reduce((sum, number) => sum + number, 0);
      expect(histogram).toBe(naive.length);
    }),
    { numRuns: 200 },
  );
  expect(most).toBeGreaterThan(10);
});
