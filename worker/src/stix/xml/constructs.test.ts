import type { ThreatData, VulnerabilityData } from '@riskboard/domain';
import { describe, expect, test } from 'vitest';
import { readAll, type ReadResult } from '../../testing/test-sink.ts';

const namespaces = [
  'xmlns:stix="http://stix.mitre.org/stix-1"',
  'xmlns:c="http://stix.mitre.org/common-1"',
  'xmlns:et="http://stix.mitre.org/ExploitTarget-1"',
  'xmlns:ttp="http://stix.mitre.org/TTP-1"',
  'xmlns:ta="http://stix.mitre.org/ThreatActor-1"',
  'xmlns:ca="http://stix.mitre.org/Campaign-1"',
  'xmlns:i="http://stix.mitre.org/Incident-1"',
  'xmlns:m="http://data-marking.mitre.org/Marking-1"',
  'xmlns:xpil="urn:oasis:names:tc:ciq:xpil:3"',
  'xmlns:ex="urn:ex"',
].join(' ');

const read = (inside: string): Promise<ReadResult> =>
  readAll(`<stix:STIX_Package ${namespaces} version="1.2">${inside}</stix:STIX_Package>`);

const exploitTarget = (inside: string): Promise<ReadResult> =>
  read(`<c:Exploit_Target id="ex:et" timestamp="2015-01-02T03:04:05Z">${inside}</c:Exploit_Target>`);
const ttp = (inside: string): Promise<ReadResult> => read(`<stix:TTP id="ex:ttp">${inside}</stix:TTP>`);
const actor = (inside: string): Promise<ReadResult> =>
  read(`<stix:Threat_Actor id="ex:a">${inside}</stix:Threat_Actor>`);

const vulnerability = async (inside: string, around = ''): Promise<VulnerabilityData> => {
  const { records } = await exploitTarget(`<et:Vulnerability>${inside}</et:Vulnerability>${around}`);
  return records[0]?.data as VulnerabilityData;
};

describe('Exploit_Target (mapping section 3)', () => {
  test.each([
    ['two in one element', 'CVE-2012-4681;CVE-2013-2423', ['cve:CVE-2012-4681', 'cve:CVE-2013-2423']],
    ['hyphen lost', 'CVE 2012-4792', ['cve:CVE-2012-4792']],
    ['free text', 'Unknown vuln', ['stix1:{urn:ex}et#vuln[0]']],
    ['none', '', ['stix1:{urn:ex}et#vuln[0]']],
  ])('CVE_ID: %s', async (_, text, keys) => {
    const { records } = await exploitTarget(
      `<et:Vulnerability><et:CVE_ID>${text}</et:CVE_ID></et:Vulnerability>`,
    );
    expect(records.map(({ key }) => key)).toEqual(keys);
    expect(new Set(records.map(({ ordinal }) => ordinal)).size).toBe(1);
  });

  test('weaknesses alone become no record; with a vulnerability they become its CWE ids', async () => {
    const weakness = '<et:Weakness><et:CWE_ID>CWE-119</et:CWE_ID></et:Weakness>';
    expect((await exploitTarget(weakness)).objects).toMatchObject([
      { outcome: 'unmapped', reason: 'The exploit target contains no vulnerability' },
    ]);
    expect((await vulnerability('', weakness)).cwe).toEqual(['CWE-119']);
    const several = '<et:Weakness><et:CWE_ID>CWE-119; CWE 120</et:CWE_ID></et:Weakness>';
    expect((await vulnerability('', several)).cwe).toEqual(['CWE-119', 'CWE-120']);
    const unknown = '<et:Weakness><et:CWE_ID>XSS</et:CWE_ID></et:Weakness>';
    const { summary } = await exploitTarget(`<et:Vulnerability/><et:Vulnerability/>${unknown}`);
    expect(summary.warnings).toMatchObject([{ code: 'cwe-not-an-id', count: 1 }]);
  });

  test('CVSS: Base_Score with its vector; MISP fills only Overall_Score', async () => {
    const scored = (inside: string): string => `<et:CVSS_Score>${inside}</et:CVSS_Score>`;
    const both =
      '<et:Base_Score>5.0</et:Base_Score><et:Base_Vector>AV:N/AC:L/Au:N/C:P/I:N/A:N</et:Base_Vector>';
    expect(await vulnerability(scored(both))).toMatchObject({ cvssScore: 5, cvssVersion: '2.0' });
    const overall = await vulnerability(scored('<et:Overall_Score>6.8</et:Overall_Score>'));
    expect(overall).toMatchObject({ cvssScore: 6.8, cvssSource: 'et:CVSS_Score' });
    expect(overall).not.toHaveProperty('cvssVersion');
    expect(await vulnerability('')).not.toHaveProperty('cvssScore');
  });

  test.each(['N/A', '11', '-1'])('CVSS: Overall_Score counts where Base_Score is %s', async (base) => {
    const scores = `<et:Overall_Score>7.5</et:Overall_Score><et:Base_Score>${base}</et:Base_Score>`;
    const { records, summary } = await exploitTarget(
      `<et:Vulnerability><et:CVSS_Score>${scores}</et:CVSS_Score></et:Vulnerability>`,
    );
    expect(records[0]?.data).toMatchObject({ cvssScore: 7.5 });
    const location = '/stix:STIX_Package/c:Exploit_Target[1]';
    expect(summary.warnings).toMatchObject([{ code: 'cvss-score-unusable', location, count: 1 }]);
  });

  test('descriptions are joined by ordinality; the short one or the one of the target is the fallback', async () => {
    const two =
      '<et:Description ordinality="2">b</et:Description><et:Description ordinality="1">a</et:Description>';
    expect((await vulnerability(two)).description).toBe('a\n\nb');
    expect((await vulnerability('<et:Short_Description>s</et:Short_Description>')).description).toBe('s');
    expect((await vulnerability('', '<et:Description>t</et:Description>')).description).toBe('t');
  });

  test('the title falls back to the one of the target, the CVE, and a substitute', async () => {
    const named = async (inside: string, around = ''): Promise<string | undefined> =>
      (await exploitTarget(`<et:Vulnerability>${inside}</et:Vulnerability>${around}`)).records[0]?.name;
    expect(await named('<et:Title> Two\n  words </et:Title>', '<et:Title>T</et:Title>')).toBe('Two words');
    expect(await named('', '<et:Title>T</et:Title>')).toBe('T');
    expect(await named('<et:CVE_ID>CVE-2020-0001</et:CVE_ID>')).toBe('CVE-2020-0001');
    expect(await named('')).toBe('Unnamed vulnerability');
  });

  test('the TLP label is the strictest of the handling', async () => {
    const marking = (color: string): string =>
      `<m:Marking><m:Marking_Structure color="${color}"/></m:Marking>`;
    const handling = `<et:Handling>${marking('GREEN')}${marking('red')}</et:Handling>`;
    expect((await vulnerability('', handling)).tlp).toBe('TLP:RED');
  });
});

describe('TTP (mapping section 5)', () => {
  const pattern = (inside: string, attributes = ''): string =>
    `<ttp:Behavior><ttp:Attack_Patterns><ttp:Attack_Pattern ${attributes}>${inside}</ttp:Attack_Pattern></ttp:Attack_Patterns></ttp:Behavior>`;
  const tool =
    '<ttp:Resources><ttp:Tools><ttp:Tool><c:Name>mimikatz</c:Name></ttp:Tool></ttp:Tools></ttp:Resources>';
  const title = '<ttp:Title>DrownedRat</ttp:Title>';

  test('parts are numbered across all kinds; a part with an id has that key', async () => {
    const malware =
      '<ttp:Behavior><ttp:Malware><ttp:Malware_Instance id="ex:mw"/></ttp:Malware></ttp:Behavior>';
    const { records } = await ttp(`${title}${pattern('', 'capec_id="CAPEC-98"')}${malware}${tool}`);
    expect(records.map(({ key, type, name }) => [key, type, name])).toEqual([
      ['stix1:{urn:ex}ttp#ap[0]', 'attack-pattern', 'DrownedRat'],
      ['stix1:{urn:ex}mw', 'malware', 'DrownedRat'],
      ['stix1:{urn:ex}ttp#tool[2]', 'tool', 'mimikatz'],
    ]);
    expect(records.map(({ data }) => (data as ThreatData).threatTypeId)).toEqual([2, 1, undefined]);
    expect(records[0]?.data).toMatchObject({ threatId: 'CAPEC-98' });
  });

  test.each([
    ['98', 'CAPEC-98', 2],
    ['T1566', 'T1566', 2],
    ['none', undefined, undefined],
  ])('the capec_id %j is read as %s', async (text, threatId, threatType) => {
    const { records } = await ttp(`${title}${pattern('', `capec_id="${text}"`)}`);
    const data = records[0]?.data as ThreatData;
    expect([data.threatId, data.threatTypeId]).toEqual([threatId, threatType]);
    expect(data.externalIds).toEqual(
      threatId === undefined ? undefined : [{ source: 'capec', id: threatId }],
    );
  });

  const reference =
    '<ttp:Behavior><ttp:Malware><ttp:Malware_Instance idref="ex:mw"/></ttp:Malware></ttp:Behavior>';
  const targets =
    '<ttp:Exploit_Targets><ttp:Exploit_Target><c:Exploit_Target idref="ex:et"/></ttp:Exploit_Target></ttp:Exploit_Targets>';

  test('malware has each of its other names as one alias', async () => {
    const names = ['A', 'B', 'A', 'B'].map((name) => `<ttp:Name>${name}</ttp:Name>`).join('');
    const { records } = await ttp(
      `<ttp:Behavior><ttp:Malware><ttp:Malware_Instance>${names}</ttp:Malware_Instance></ttp:Malware></ttp:Behavior>`,
    );
    expect(records).toMatchObject([{ name: 'A', data: { aliases: ['B'] } }]);
  });

  test('a part with an idref is a reference: it becomes no threat, and is related to the exploit targets', async () => {
    const { objects, records, relations } = await ttp(`${title}${reference}${targets}`);
    expect(records).toEqual([]);
    expect(objects).toMatchObject([
      { outcome: 'unmapped', reason: 'The TTP only references attack patterns, malware or tools' },
    ]);
    expect(relations).toMatchObject([{ type: 'targets', sourceId: '{urn:ex}mw', targetId: '{urn:ex}et' }]);
  });

  test('a part with an idref is not counted among the parts', async () => {
    const { records, relations } = await ttp(`${title}${reference}${tool}${targets}`);
    expect(records.map(({ key }) => key)).toEqual(['stix1:{urn:ex}ttp#tool[0]']);
    expect(relations.map(({ sourceId }) => sourceId)).toEqual(['{urn:ex}mw', '{urn:ex}ttp']);
  });

  test.each([
    ['the exploit target has no id', 'id="ex:ttp"', '', 1],
    ['the TTP has no id', '', 'id="ex:et"', 1],
    ['both have an id', 'id="ex:ttp"', 'id="ex:et"', 0],
  ])(
    'a TTP and the exploit target in it, when %s: a warning unless they are related',
    async (_, ttpId, targetId, count) => {
      const inline = `<ttp:Exploit_Targets><ttp:Exploit_Target><c:Exploit_Target ${targetId}><et:Vulnerability/></c:Exploit_Target></ttp:Exploit_Target></ttp:Exploit_Targets>`;
      const { relations, summary } = await read(`<stix:TTP ${ttpId}>${title}${tool}${inline}</stix:TTP>`);
      expect(relations).toHaveLength(1 - count);
      expect(summary.warnings.map(({ code }) => code)).toEqual(Array(count).fill('relation-without-id'));
    },
  );

  test('a kill-chain phase that is stated only by its id is a warning', async () => {
    const phases = (...attributes: string[]): string =>
      `<ttp:Kill_Chain_Phases>${attributes.map((text) => `<c:Kill_Chain_Phase phase_id="ex:p" ${text}/>`).join('')}</ttp:Kill_Chain_Phases>`;
    const named = await ttp(`${title}${phases('name="Delivery"')}`);
    expect(named.records[0]?.data).toMatchObject({ tactics: ['Delivery'] });
    expect(named.summary.warnings).toEqual([]);
    for (const parts of ['', tool]) {
      const { records, summary } = await ttp(`${title}${phases('name="Delivery"', '', '')}${parts}`);
      expect(records[0]?.data).toMatchObject({ tactics: ['Delivery'] });
      const location = '/stix:STIX_Package/stix:TTP[1]';
      expect(summary.warnings).toMatchObject([{ code: 'kill-chain-phase-unnamed', location, count: 1 }]);
    }
  });

  test('a TTP with only a title becomes a threat', async () => {
    expect((await ttp(title)).records).toMatchObject([
      { type: 'ttp', name: 'DrownedRat', key: 'stix1:{urn:ex}ttp' },
    ]);
  });

  test.each([
    ['<ttp:Victim_Targeting/>', 'victim targeting'],
    [
      '<ttp:Behavior><ttp:Exploits><ttp:Exploit/></ttp:Exploits></ttp:Behavior><ttp:Victim_Targeting/>',
      'victim targeting',
    ],
    ['<ttp:Resources><ttp:Infrastructure/></ttp:Resources>', 'infrastructure'],
    ['<ttp:Exploit_Targets/>', 'exploit targets'],
  ])('a title with %s creates nothing', async (inside, content) => {
    const reason = `The TTP contains ${content}, but no attack pattern, malware or tool`;
    const { objects, records } = await ttp(title + inside);
    expect(records).toEqual([]);
    expect(objects).toMatchObject([{ outcome: 'unmapped', reason }]);
  });
});

describe('Threat_Actor and Campaign (mapping section 5)', () => {
  const value = (local: string, word: string): string =>
    `<ta:${local}><c:Value>${word}</c:Value></ta:${local}>`;
  const party = (inside: string): string =>
    `<ta:Identity><ex:Specification>${inside}</ex:Specification></ta:Identity>`;
  const country =
    '<xpil:Addresses><xpil:Address><ex:Country><ex:NameElement>CN</ex:NameElement></ex:Country></xpil:Address></xpil:Addresses>';
  const related =
    '<ta:Identity><c:Related_Identities><c:Related_Identity><c:Identity><c:Name>School</c:Name></c:Identity></c:Related_Identity></c:Related_Identities></ta:Identity>';

  test.each([
    ['title', '<ta:Title>T</ta:Title><ta:Identity><c:Name>N</c:Name></ta:Identity>', 'T'],
    ['identity', '<ta:Identity><c:Name>N</c:Name></ta:Identity>', 'N'],
    [
      'party',
      party(
        '<xpil:PartyName><ex:PersonName><ex:NameElement>dota</ex:NameElement></ex:PersonName></xpil:PartyName>',
      ),
      'dota',
    ],
    ['never the country', party(country), 'Unnamed threat actor'],
    ['never a related identity', related, 'Unnamed threat actor'],
  ])('name: %s', async (_, inside, name) => {
    expect((await actor(inside)).records).toMatchObject([{ name, type: 'threat-actor' }]);
  });

  test('each name of a person or organization is one, made of its parts', async () => {
    const element = (local: string, ...parts: string[]): string =>
      `<ex:${local}>${parts.join('')}</ex:${local}>`;
    const names = [
      element(
        'PersonName',
        '<ex:NameElement>John</ex:NameElement>',
        '<ex:NameElement>Smith</ex:NameElement>',
      ),
      element('PersonName', '<ex:NameLine>J. Smith</ex:NameLine>'),
      element(
        'OrganisationName',
        '<ex:NameElement>Army</ex:NameElement>',
        '<ex:SubDivisionName>Unit 1</ex:SubDivisionName>',
      ),
      element('OrganisationName', '<ex:NameElement>APT</ex:NameElement>'),
    ];
    const { records } = await actor(party(`<xpil:PartyName>${names.join('')}</xpil:PartyName>`));
    expect(records).toMatchObject([
      { name: 'John Smith', data: { aliases: ['J. Smith', 'Army Unit 1', 'APT'] } },
    ]);
  });

  test('"Unknown" is ignored as a motivation, and an insider is labelled', async () => {
    const { records } = await actor(
      value('Motivation', 'Unknown') + value('Type', 'Insider Threat') + value('Sophistication', 'Expert'),
    );
    expect(records[0]?.data).toMatchObject({
      threatTypeId: 4,
      capability: 'Expert',
      labels: ['Insider Threat'],
    });
    expect(records[0]?.data).not.toHaveProperty('motivation');
  });

  test('a motivation, capability or type that differs only in case is kept once', async () => {
    const { records } = await actor(
      ['Motivation', 'Type', 'Sophistication', 'Planning_And_Operational_Support']
        .map((name) => value(name, 'Expert') + value(name, 'EXPERT'))
        .join(''),
    );
    expect(records[0]?.data).toMatchObject({
      motivation: 'Expert',
      capability: 'Expert',
      labels: ['Expert'],
    });
  });

  test('a wrapper with the name of a construct is ignored; the construct inside counts', async () => {
    const inner = '<c:Threat_Actor id="ex:b"><ta:Title>B</ta:Title></c:Threat_Actor>';
    const { objects } = await read(
      `<stix:Incident id="ex:i"><i:Threat_Actor>${inner}</i:Threat_Actor></stix:Incident>`,
    );
    expect(objects.map(({ type, location }) => [type, location])).toEqual([
      ['Incident', '/stix:STIX_Package/stix:Incident[1]'],
      ['ThreatActor', '/stix:STIX_Package/stix:Incident[1]/i:Threat_Actor[1]/c:Threat_Actor[1]'],
    ]);
  });

  test('a campaign has its title and other names', async () => {
    const { records } = await read(
      '<stix:Campaign id="ex:c"><ca:Title>Bran</ca:Title><ca:Names><ca:Name>OBF</ca:Name><ca:Name>OBF</ca:Name></ca:Names></stix:Campaign>',
    );
    expect(records).toMatchObject([{ type: 'campaign', name: 'Bran', data: { aliases: ['OBF'] } }]);
  });
});

test('names are in composed Unicode', async () => {
  const title = (prefix: string): string => `<${prefix}:Title>Zoe\u0301</${prefix}:Title>`;
  const { records } = await read(
    `<c:Exploit_Target id="ex:e"><et:Vulnerability>${title('et')}</et:Vulnerability></c:Exploit_Target>
     <stix:TTP id="ex:t">${title('ttp')}</stix:TTP>
     <stix:Threat_Actor id="ex:a">${title('ta')}<ta:Identity><c:Name>A\u030A</c:Name></ta:Identity></stix:Threat_Actor>
     <stix:Campaign id="ex:c">${title('ca')}</stix:Campaign>`,
  );
  expect(records.map(({ name }) => name)).toEqual(Array(4).fill('Zo\u00E9'));
  expect(records[2]?.data).toMatchObject({ aliases: ['\u00C5'] });
});

test('names have no direction characters', async () => {
  const { records } = await actor('<ta:Title>evil&#x202E;fdp.exe\nline2</ta:Title>');
  expect(records[0]?.name).toBe('evilfdp.exe line2');
});

describe('the TLP label of a package (mapping section 3)', () => {
  const handling = (path: string, color: string): string =>
    `<m:Marking>${path === '' ? '' : `<m:Controlled_Structure>${path}</m:Controlled_Structure>`}<m:Marking_Structure color="${color}"/></m:Marking>`;
  const header = (...markings: string[]): string =>
    `<stix:STIX_Header><stix:Handling>${markings.join('')}</stix:Handling></stix:STIX_Header>`;
  const target = (inside = ''): string =>
    `<c:Exploit_Target id="ex:et"><et:Vulnerability/>${inside}</c:Exploit_Target>`;
  const labels = async (inside: string): Promise<(string | undefined)[]> =>
    (await read(inside)).records.map(({ data }) => data.tlp);
  const amber = header(handling('//node()', 'AMBER'));

  test.each([
    '//node()',
    ' //node() | //@* ',
    '//*|//@*',
    '../../../../descendant-or-self::node() | ../../../../descendant-or-self::node()/@*',
    '/stix:STIX_Package//node()',
    '//stix:STIX_Package/descendant-or-self::node()',
    'ancestor-or-self::stix:STIX_Package//node()',
    '//descendant-or-self::node()',
    '../../../..//*',
    '//@*',
    '//stix:STIX_Package',
  ])('applies to every construct when its marking covers %s', async (path) => {
    const others =
      '<stix:Threat_Actor id="ex:a"/><stix:Campaign id="ex:c"/><stix:TTP id="ex:t"><ttp:Title>T</ttp:Title></stix:TTP>';
    const all = header(handling(path, 'amber')) + target() + others;
    expect(await labels(all)).toEqual(Array(4).fill('TLP:AMBER'));
  });

  test.each([
    '../../../descendant-or-self::node()',
    '//stix:Indicator//node()',
    '//et:Title',
    '//stix:Title',
  ])('does not apply when its marking covers only "%s"', async (path) => {
    const { records, summary } = await read(
      header(handling(path, 'AMBER')) + target('<c:Title>T</c:Title>') + target(),
    );
    expect(records.map(({ data }) => data.tlp)).toEqual([undefined, undefined]);
    expect(summary.warnings).toEqual([]);
  });

  test('is the strictest of the markings that cover the package', async () => {
    const markings = [
      handling('//node()', 'GREEN'),
      handling('//node()', 'AMBER'),
      handling('//et:Title', 'RED'),
    ];
    expect(await labels(header(...markings) + target())).toEqual(['TLP:AMBER']);
  });

  test.each([
    ['WHITE', 'TLP:AMBER'],
    ['RED', 'TLP:RED'],
  ])("applies to a construct's own label %s as the stricter one: %s", async (color, label) => {
    const own = `<et:Handling>${handling('//node()', color)}</et:Handling>`;
    expect(await labels(amber + target(own))).toEqual([label]);
  });

  test('may be the color of any element in the structure, as in the markings of AIS', async () => {
    const ais =
      '<m:Marking><m:Controlled_Structure>//node() | //@*</m:Controlled_Structure><m:Marking_Structure><a:Not_Proprietary xmlns:a="urn:ais"><a:AISConsent consent="EVERYONE"/><a:TLPMarking color="AMBER"/></a:Not_Proprietary></m:Marking_Structure></m:Marking>';
    expect(await labels(header(ais) + target())).toEqual(['TLP:AMBER']);
  });

  test('applies to a package inside it that has none, and to the rest after one that has its own', async () => {
    const inner = (inside: string): string =>
      `<stix:Related_Packages><stix:Related_Package><stix:Package version="1.2">${inside}</stix:Package></stix:Related_Package></stix:Related_Packages>`;
    const own = inner(header(handling('//node()', 'RED')) + target());
    expect(await labels(amber + inner(target()) + own + target())).toEqual([
      'TLP:AMBER',
      'TLP:RED',
      'TLP:AMBER',
    ]);
  });

  test('of a report applies to the constructs of the report', async () => {
    const report = `<stix:Report id="ex:r"><r:Header xmlns:r="http://stix.mitre.org/Report-1"><r:Handling>${handling('ancestor-or-self::stix:Report//node()', 'RED')}</r:Handling></r:Header>${target()}</stix:Report>`;
    expect(await labels(amber + report + target())).toEqual(['TLP:RED', 'TLP:AMBER']);
  });
});

describe('the TLP label of a construct applies to the constructs inside it', () => {
  const handling = (color: string): string =>
    `<stix:Handling><m:Marking><m:Controlled_Structure>//node()</m:Controlled_Structure><m:Marking_Structure color="${color}"/></m:Marking></stix:Handling>`;
  const header = (color: string): string => `<stix:STIX_Header>${handling(color)}</stix:STIX_Header>`;
  const target = (id: string, inside = ''): string =>
    `<c:Exploit_Target id="ex:${id}"><et:Vulnerability/>${inside}</c:Exploit_Target>`;
  const tool = (id: string, inside = ''): string =>
    `<c:TTP id="ex:${id}"><ttp:Title>T</ttp:Title><ttp:Exploit_Targets><ttp:Exploit_Target>${target(`${id}-et`)}</ttp:Exploit_Target></ttp:Exploit_Targets><ttp:Resources><ttp:Tools><ttp:Tool/></ttp:Tools></ttp:Resources>${inside}</c:TTP>`;
  const indicator = (id: string, inside: string): string =>
    `<stix:Indicator id="ex:${id}">${inside}</stix:Indicator>`;
  /** By the local part of the id. */
  const labels = async (inside: string): Promise<Record<string, string | undefined>> => {
    const { records, objects } = await read(inside);
    expect(objects.map(({ ordinal }) => ordinal)).toEqual(objects.map((_, at) => at));
    return Object.fromEntries(records.map(({ stixId, data }) => [stixId?.replace('{urn:ex}', ''), data.tlp]));
  };

  test('when it is behind them in a construct that yields records', async () => {
    expect(await labels(header('GREEN') + tool('a', handling('RED')) + tool('b'))).toEqual({
      a: 'TLP:RED',
      'a-et': 'TLP:RED',
      b: 'TLP:GREEN',
      'b-et': 'TLP:GREEN',
    });
  });

  test.each(['Indicator', 'Incident', 'Course_Of_Action'])(
    'when it is behind them in an %s',
    async (name) => {
      const observable = '<c:Observable id="ex:o"/>';
      const inside = `${observable}${tool('a')}${observable}${tool('b', handling('RED'))}${handling('AMBER')}${target('c')}`;
      const outer = `<stix:${name} id="ex:i">${inside}</stix:${name}>`;
      expect(await labels(header('GREEN') + outer + target('d'))).toEqual({
        a: 'TLP:AMBER',
        'a-et': 'TLP:AMBER',
        b: 'TLP:RED',
        'b-et': 'TLP:RED',
        c: 'TLP:AMBER',
        d: 'TLP:GREEN',
      });
    },
  );

  test('and those of nested ones apply to their content only', async () => {
    const inner = indicator('y', `${target('b')}${handling('RED')}`);
    const all = indicator('x', `${target('a')}${inner}${target('c')}${handling('AMBER')}`);
    expect(await labels(all + target('d'))).toEqual({
      a: 'TLP:AMBER',
      b: 'TLP:RED',
      c: 'TLP:AMBER',
      d: undefined,
    });
  });

  test('also when it has no id, and a relationship of its name has none', async () => {
    const unnamed = `<stix:Indicator><x/>${target('a')}${handling('RED')}</stix:Indicator>`;
    const related = `<i:Indicator><c:Indicator id="ex:i">${target('b')}</c:Indicator></i:Indicator>`;
    expect(await labels(unnamed + related + target('c'))).toEqual({
      a: 'TLP:RED',
      b: undefined,
      c: undefined,
    });
  });

  test('with a warning when they were too many to wait for it', async () => {
    const many = Array.from({ length: 10_002 }, (_, n) => target(`t${n}`)).join('');
    const last = indicator('j', `${target('z')}${handling('AMBER')}`);
    const { records, summary } = await read(indicator('i', `${many}${handling('RED')}`) + last);
    expect([records[0], records.at(-2), records.at(-1)].map((record) => record?.data.tlp)).toEqual([
      undefined,
      'TLP:RED',
      'TLP:AMBER',
    ]);
    expect(summary.warnings).toMatchObject([
      { code: 'marking-late', location: '/stix:STIX_Package/stix:Indicator[1]', count: 1 },
    ]);
  });
});

test('a location has the position of every ancestor, so that it selects one element', async () => {
  const related = (inside: string): string =>
    `<stix:Related_Package><stix:Package version="1.2">${inside}</stix:Package></stix:Related_Package>`;
  const action = '<stix:Course_Of_Action id="ex:c"/>';
  const { objects } = await read(
    `<stix:Related_Packages>${related(action)}${related(action)}</stix:Related_Packages>`,
  );
  expect(objects.map(({ location }) => location)).toEqual(
    [1, 2].map(
      (position) =>
        `/stix:STIX_Package/stix:Related_Packages[1]/stix:Related_Package[${position}]/stix:Package[1]/stix:Course_Of_Action[1]`,
    ),
  );
});
