import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseCvss, cvssClaims } from '../cvss-claim.ts';
import type { JsonObject } from '../json-value.ts';
import { mapObject } from './map-object.ts';
import type { MappedObject, MappedRecord, ThreatData, VulnerabilityData } from '../record.ts';
import { definedTlp, predefinedTlp } from '../tlp.ts';
import { warningMessages, type WarningCode } from '../warning.ts';

const uuid = '11111111-1111-4111-8111-111111111111';
const time = '2024-05-06T07:08:09.123Z';

function map(type: string, fields: object = {}): MappedObject & { warnings: WarningCode[] } {
  const warnings: WarningCode[] = [];
  const object = { type, id: `${type}--${uuid}`, created: time, modified: time, name: 'A name', ...fields };
  return {
    ...mapObject(object, { tlpOfMarking: predefinedTlp, warn: (code) => warnings.push(code) }),
    warnings,
  };
}

function only(type: string, fields?: object): MappedRecord {
  const { records } = map(type, fields);
  if (records.length !== 1 || records[0] === undefined) throw new Error(`${records.length} records`);
  return records[0];
}

const cve = (external_id: string): object => ({ source_name: 'cve', external_id });
const reference = (source_name: string, external_id: string): object => ({ source_name, external_id });
const ofOpenCti = (properties: object): object => ({
  extensions: { 'extension-definition--ea279b3e-5c71-4632-ac08-831c66a786ba': properties },
});

describe('CVE and key of a vulnerability (mapping section 3)', () => {
  test.each([
    ['come from a reference', { external_references: [cve('cve-2021-44228')] }, ['cve:CVE-2021-44228']],
    ['come from the name', { name: 'CVE-2020-0001' }, ['cve:CVE-2020-0001']],
    [
      'come from a single CVE inside the name',
      { name: 'Log4Shell (CVE-2021-44228)' },
      ['cve:CVE-2021-44228'],
    ],
    ['come from a name with dashes', { name: 'CVE\u20132021\u201345046' }, ['cve:CVE-2021-45046']],
    [
      'come from a reference with other hyphens',
      { external_references: [cve('CVE\u20112021\u201144228'), cve('CVE\u22122021\u221244229')] },
      ['cve:CVE-2021-44228', 'cve:CVE-2021-44229'],
    ],
    [
      'ignore two CVEs inside the name',
      { name: 'CVE-2020-0001 and CVE-2020-0002' },
      [`stix:vulnerability--${uuid}`],
    ],
    ['ignore the description', { description: 'CVE-2020-0001' }, [`stix:vulnerability--${uuid}`]],
    [
      'ignore a URL',
      { external_references: [cve('CVE-2013-3893'), { source_name: 'x', url: 'https://a/CVE-2018-4878' }] },
      ['cve:CVE-2013-3893'],
    ],
    [
      'yield one record per reference',
      { external_references: [cve('CVE-2020-0001'), cve('CVE-2020-0002')] },
      ['cve:CVE-2020-0001', 'cve:CVE-2020-0002'],
    ],
    [
      'of one reference are separated, and a lost hyphen is added',
      { external_references: [cve('CVE-2031-0993; CVE-2031-0994'), cve('CVE 2031-0995')] },
      ['cve:CVE-2031-0993', 'cve:CVE-2031-0994', 'cve:CVE-2031-0995'],
    ],
  ])('%s', (_, fields, keys) => {
    expect(map('vulnerability', fields).records.map(({ key }) => key)).toEqual(keys);
  });

  test('text in a CVE reference that is not a CVE id is kept as text', () => {
    const { records, warnings } = map('vulnerability', { external_references: [cve('CVE-XXX-XXXX')] });
    expect(records[0]?.data).toMatchObject({ cveIdText: 'CVE-XXX-XXXX' });
    expect(warnings).toEqual(['cve-not-an-id']);
  });

  test('CWE ids are normalized and distinct', () => {
    const external_references = [
      reference('cwe', 'CWE-79'),
      reference('CWE', 'cwe-79'),
      reference('cwe', 'CWE-0'),
    ];
    const fields = { external_references, x_opencti_cwe: ['CWE-089'], ...ofOpenCti({ cwe: ['CWE-20'] }) };
    expect(only('vulnerability', fields).data).toMatchObject({ cwe: ['CWE-79', 'CWE-89', 'CWE-20'] });
  });

  test.each([
    ['CWE-119, CWE-120', ['CWE-119', 'CWE-120'], []],
    ['CWE 89', ['CWE-89'], []],
    ['CWE-79: XSS (cwe-0080)', ['CWE-79', 'CWE-80'], []],
    ['79', ['CWE-79'], []],
    ['NVD-CWE-noinfo', undefined, []],
    ['NVD-CWE-Other', undefined, []],
    ['CWE-0', undefined, []],
    ['CWE-123456', undefined, ['cwe-not-an-id']],
    ['XSS', undefined, ['cwe-not-an-id']],
  ])('the CWE ids of "%s" are %j', (text, cwe, expected) => {
    const { records, warnings } = map('vulnerability', { external_references: [reference('cwe', text)] });
    expect(records[0]?.data).toEqual(expect.objectContaining(cwe === undefined ? {} : { cwe }));
    expect('cwe' in (records[0]?.data ?? {})).toBe(cwe !== undefined);
    expect(warnings).toEqual(expected);
  });

  test('of more than 100 CWE ids the first 100 are kept, with a warning', () => {
    const ids = Array.from({ length: 101 }, (_, n) => `CWE-${n + 1}`);
    const { records, warnings } = map('vulnerability', { x_opencti_cwe: ids });
    expect(records[0]?.data).toMatchObject({ cwe: ids.slice(0, 100) });
    expect(warnings).toEqual(['cwe-too-many']);
  });

  test.each([
    [{ x_misp_vulnerable_configuration: ['cpe:a', 'cpe:b'] }, ['cpe:a', 'cpe:b']],
    [{ x_misp_text_vulnerable_configuration: 'cpe:a' }, ['cpe:a']],
    [
      { x_misp_vulnerable_configuration: 'cpe:a', x_misp_text_vulnerable_configuration: ['cpe:b', 'cpe:a'] },
      ['cpe:a', 'cpe:b'],
    ],
  ])('affected products of MISP in %j', (fields, affectedProducts) => {
    expect(only('vulnerability', fields).data).toMatchObject({ affectedProducts });
  });

  const cve2stix = '562918ee-d5da-5579-b6a1-fae50cc6bad3';
  test.each([
    [{ created_by_ref: `identity--${cve2stix}` }, time],
    [{ object_marking_refs: [`marking-definition--${cve2stix}`] }, time],
    [{ x_cvss: {} }, time],
    [{ created_by_ref: `identity--${uuid}` }, undefined],
  ])('with %j is published at %s', (fields, publishedAt) => {
    const { data } = only('vulnerability', fields) as { data: VulnerabilityData };
    expect([data.publishedAt, data.modifiedAt]).toEqual([publishedAt, publishedAt]);
  });

  test('a vulnerability without a name is named by its CVE, with a warning', () => {
    const { records, warnings } = map('vulnerability', {
      name: undefined,
      external_references: [cve('CVE-2020-0001')],
    });
    expect(records[0]?.name).toBe('CVE-2020-0001');
    expect(warnings).toEqual(['no-name']);
  });
});

describe('CVSS claims (mapping section 4)', () => {
  test.each([
    [
      'x_cvss with a point in the version',
      { x_cvss: { 'v3.1': { base_score: 7.5, vector_string: 'v' } } },
      { version: '3.1', score: 7.5, vector: 'v', source: 'x_cvss' },
    ],
    [
      'x_cvss that is a list',
      { x_cvss: [5, { base_score: 5.5, vector_string: 'CVSS:3.1/x', type: 'Primary' }] },
      { version: '3.1', score: 5.5, vector: 'CVSS:3.1/x', source: 'x_cvss', type: 'Primary' },
    ],
    [
      'x_cvss, list',
      { x_cvss: { v3_1: [{ baseScore: 7.5, vectorString: 'v', type: 'Primary' }] } },
      { version: '3.1', score: 7.5, vector: 'v', source: 'x_cvss', type: 'Primary' },
    ],
    [
      'OpenCTI 3.x',
      { x_opencti_cvss_vector_string: 'CVSS:3.0/x' },
      { version: '3.0', score: null, vector: 'CVSS:3.0/x', source: 'x_opencti_cvss' },
    ],
    [
      'extension of OpenCTI, 3.x',
      ofOpenCti({ cvss_vector: 'CVSS:3.1/x', cvss_base_score: 9.8 }),
      { version: '3.1', score: 9.8, vector: 'CVSS:3.1/x', source: 'cvss' },
    ],
    [
      'extension of OpenCTI, v4',
      ofOpenCti({ cvss_v4_vector: 'CVSS:4.0/x', cvss_v4_base_score: '9.3' }),
      { version: '4.0', score: 9.3, vector: 'CVSS:4.0/x', source: 'cvss_v4' },
    ],
    [
      'extension of older versions of OpenCTI',
      ofOpenCti({ base_score: 7.5 }),
      { version: null, score: 7.5, vector: null, source: 'base_score' },
    ],
    [
      'older versions of OpenCTI',
      { x_opencti_base_score: 10 },
      { version: null, score: 10, vector: null, source: 'x_opencti_base_score' },
    ],
    [
      'MISP text',
      { x_misp_cvss_score: '6.8' },
      { version: null, score: 6.8, vector: null, source: 'x_misp_cvss_score' },
    ],
    [
      'MISP vector and score',
      { x_misp_cvss_string: 'CVSS:3.1/x', x_misp_cvss_score: 9.8 },
      { version: '3.1', score: 9.8, vector: 'CVSS:3.1/x', source: 'x_misp_cvss_string' },
    ],
    [
      'MISP vector of the older name',
      { x_misp_text_cvss_string: 'AV:N/x' },
      { version: null, score: null, vector: 'AV:N/x', source: 'x_misp_text_cvss_string' },
    ],
    [
      'label',
      { labels: ['cvssMetricV31-vectorString: CVSS:3.1/x'] },
      { version: '3.1', vector: 'CVSS:3.1/x', source: 'labels' },
    ],
  ])('%s', (_, fields, claim) => {
    expect(only('vulnerability', fields).data).toMatchObject({ cvss: [claim] });
  });

  test('MISP lists of scores and vectors yield a claim for each', () => {
    const { records, warnings } = map('vulnerability', {
      x_misp_cvss_score: ['6.8', 'high', '9.8'],
      x_misp_cvss_string: ['v'],
    });
    expect(records[0]?.data).toMatchObject({
      cvss: [
        { score: 6.8, vector: 'v' },
        { score: 9.8, vector: null },
      ],
    });
    expect(warnings).toEqual(['cvss-score-unusable']);
  });

  test.each([
    [{ x_misp_cvss_score: '68' }, ['cvss-score-unusable']],
    [{ x_misp_cvss_score: '' }, []],
    [{ x_misp_cvss_score: 'high' }, ['cvss-score-unusable']],
    [{ x_misp_cvss_score: '0x9' }, ['cvss-score-unusable']],
    [{ x_opencti_cvss_base_score: -1 }, ['cvss-score-unusable']],
    [ofOpenCti({ cvss_v2_base_score: 11 }), ['cvss-score-unusable']],
    [{ extensions: [] }, []],
    [{ x_cvss: { v3_1: { base_score: 'n/a' }, v2_0: { base_score: null } } }, ['cvss-score-unusable']],
    [{}, []],
  ])('%j yields no claim', (fields, warnings) => {
    const mapped = map('vulnerability', fields);
    expect(mapped.records[0]?.data).not.toHaveProperty('cvss');
    expect(mapped.warnings).toEqual(warnings);
  });
});

describe('the CVSS score of claims without a vector (mapping section 4)', () => {
  const chosen = (fields: object) =>
    chooseCvss(
      cvssClaims(fields as JsonObject, () => undefined),
      () => 0,
      () => undefined,
    );

  test.each([
    [
      'of the newest version',
      { x_cvss: { v2_0: { base_score: 5 }, v3_1: { base_score: 9.8 }, v3_0: { base_score: 8 } } },
      { cvssScore: 9.8, cvssSource: 'x_cvss' },
    ],
    [
      'of the primary assessor',
      {
        x_cvss: {
          v3_1: [
            { base_score: 1, type: 'Secondary' },
            { base_score: 9, type: 'Primary' },
          ],
        },
      },
      { cvssScore: 9, cvssSource: 'x_cvss' },
    ],
    [
      'of the newest version, also of a secondary assessor',
      {
        x_cvss: {
          v3_0: [{ base_score: 9.8, type: 'Primary' }],
          v3_1: [{ base_score: 4, type: 'Secondary' }],
        },
      },
      { cvssScore: 4, cvssSource: 'x_cvss' },
    ],
    [
      'of OpenCTI, of the newest version',
      { x_opencti_cvss_v2_base_score: 5, x_opencti_cvss_base_score: 7, x_opencti_cvss_v4_base_score: 9 },
      { cvssScore: 9, cvssSource: 'x_opencti_cvss_v4' },
    ],
    [
      'of OpenCTI, of 3.x rather than v2',
      { x_opencti_cvss_v2_base_score: 5, x_opencti_cvss_base_score: 7 },
      { cvssScore: 7, cvssSource: 'x_opencti_cvss' },
    ],
    [
      'of the extension of OpenCTI, of the newest version',
      { x_opencti_cvss_base_score: 7, ...ofOpenCti({ cvss_v4_base_score: 9, cvss_v2_base_score: 5 }) },
      { cvssScore: 9, cvssSource: 'cvss_v4' },
    ],
    [
      'of OpenCTI with a version rather than without',
      { x_opencti_base_score: 5, ...ofOpenCti({ cvss_base_score: 7, base_score: 6 }) },
      { cvssScore: 7, cvssSource: 'cvss' },
    ],
    [
      'of the first source, with any version',
      { x_cvss: { v2_0: { base_score: 5 } }, x_opencti_cvss_v4_base_score: 9 },
      { cvssScore: 5, cvssSource: 'x_cvss' },
    ],
  ])('is the one %s, without a version', (_, fields, score) => {
    expect(chosen(fields)).toEqual(score);
  });

  test.each([
    [7.55, 7.6],
    [7.54, 7.5],
    [1.05, 1.1],
    [9.96, 10],
    [0, 0],
  ])('%d has one decimal: %d', (x_misp_cvss_score, cvssScore) => {
    expect(chosen({ x_misp_cvss_score })).toEqual({ cvssScore, cvssSource: 'x_misp_cvss_score' });
  });
});

const ofMitre = (properties: object): object => ({
  extensions: { 'extension-definition--322b8f77-262a-4cb8-a915-1e441e00329b': properties },
});

describe('display id of a threat (mapping section 5)', () => {
  test.each([
    [
      'MITRE before CAPEC',
      { external_references: [reference('capec', 'CAPEC-1'), reference('mitre-attack', 'T1027.002')] },
      'T1027.002',
    ],
    ['OpenCTI', { x_mitre_id: 'T1566', external_references: [reference('capec', 'CAPEC-98')] }, 'T1566'],
    ['extension of OpenCTI', { name: 'Phishing - T1027', ...ofMitre({ id: 'T1566' }) }, 'T1566'],
    ['extension of older versions of OpenCTI', ofMitre({ mitre_id: 't1566.001' }), 'T1566.001'],
    [
      'MITRE before OpenCTI',
      { external_references: [reference('mitre-attack', 'T1027')], ...ofMitre({ id: 'T1566' }) },
      'T1027',
    ],
    ['no id in the extension of OpenCTI', ofMitre({ id: `attack-pattern--${uuid}`, mitre_id: 5 }), undefined],
    ['ATLAS', { external_references: [reference('mitre-atlas', 'AML.T0051')] }, 'AML.T0051'],
    [
      'suffix of the name before CAPEC',
      { name: 'Phishing - T1566', external_references: [reference('capec', 'CAPEC-98')] },
      'T1566',
    ],
    [
      'ATT&CK of 2018',
      { name: 'Phishing - PRE-T1134', external_references: [reference('mitre-pre-attack', 'PRE-T1134')] },
      'PRE-T1134',
    ],
    [
      'mobile ATT&CK of 2018',
      { external_references: [reference('mitre-mobile-attack', 'MOB-T1001')] },
      'MOB-T1001',
    ],
    ['suffix of the name of ATT&CK of 2018', { name: 'Phishing - PRE-T1134' }, 'PRE-T1134'],
    ['ATT&CK id under capec', { external_references: [reference('capec', 'T1068')] }, 'T1068'],
    ['any case', { external_references: [reference('MITRE-ATTACK', 't1566.002')] }, 'T1566.002'],
    ['a number of CAPEC alone', { external_references: [reference('capec', '0098')] }, 'CAPEC-98'],
    ['CAPEC in any case', { external_references: [reference('Capec', 'capec-98')] }, 'CAPEC-98'],
    [
      'no number longer than those of CAPEC',
      { external_references: [reference('capec', `CAPEC-${'9'.repeat(7)}`)] },
      undefined,
    ],
    ['a suffix in any case', { name: 'Phishing - t1566' }, 'T1566'],
    ['no pattern, no id', { external_references: [reference('mitre-attack', 'see below')] }, undefined],
  ])('%s', (_, fields, threatId) => {
    expect(only('attack-pattern', fields).data).toEqual(
      expect.objectContaining(threatId === undefined ? {} : { threatId }),
    );
    expect('threatId' in only('attack-pattern', fields).data).toBe(threatId !== undefined);
  });
});

describe('threat type (mapping section 5)', () => {
  const technique = (id: string): object => ({ external_references: [reference('mitre-attack', id)] });
  const exfiltration = { kill_chain_name: 'MITRE-ATTACK', phase_name: 'Exfiltration' };
  const phase = { kill_chain_phases: [{ kill_chain_name: 'mitre-attack', phase_name: 'exfiltration' }] };
  test.each([
    ['rule 1', 'malware', {}, 1],
    ['rule 2, OpenCTI', 'attack-pattern', ofMitre({ id: 'T1566' }), 2],
    ['rule 2, sub-technique', 'attack-pattern', technique('T1566.001'), 2],
    ['rule 3', 'attack-pattern', technique('T1498'), 3],
    ['rule 3, tool', 'tool', { tool_types: ['Denial-of-Service'] }, 3],
    ['rule 4', 'threat-actor', { threat_actor_types: ['insider-disgruntled'] }, 4],
    ['rule 4, 2.0', 'threat-actor', { labels: ['insider-accidental'] }, 4],
    ['rule 5', 'attack-pattern', technique('T1656'), 6],
    ['rule 5, CAPEC', 'attack-pattern', { x_capec_domains: ['Social Engineering'] }, 6],
    ['rule 6', 'attack-pattern', { ...technique('T1041'), ...phase }, 5],
    ['rule 5, CAPEC in any case', 'attack-pattern', { x_capec_domains: ['social engineering'] }, 6],
    ['rule 6 in any case', 'attack-pattern', { kill_chain_phases: [exfiltration] }, 5],
    ['first match wins', 'attack-pattern', { ...technique('T1566'), ...phase }, 2],
    ['the description is ignored', 'attack-pattern', { description: 'phishing' }, undefined],
    ['campaign', 'campaign', {}, undefined],
  ])('%s', (_, type, fields, threatTypeId) => {
    expect((only(type, fields).data as { threatTypeId?: number }).threatTypeId).toBe(threatTypeId);
  });
});

describe('risk level (mapping section 5): round(L x S / 15 x 100)', () => {
  test.each([
    ['High', 'High', { riskLevel: 80, likelihood: 4, impact: 4 }],
    ['Medium', 'Medium', { riskLevel: 40, likelihood: 3, impact: 3 }],
    ['High', 'Very High', { riskLevel: 100, likelihood: 4, impact: 5 }],
    ['low', 'very low', { riskLevel: 7, likelihood: 2, impact: 1 }],
  ])(
    'of likelihood %s and severity %s',
    (x_capec_likelihood_of_attack, x_capec_typical_severity, expected) => {
      const { data } = only('attack-pattern', { x_capec_likelihood_of_attack, x_capec_typical_severity });
      expect(data).toMatchObject({
        ...expected,
        riskLevelSource: 'CAPEC',
        likelihoodText: x_capec_likelihood_of_attack,
      });
    },
  );

  test('is absent when only the severity is stated', () => {
    const { data } = only('attack-pattern', { x_capec_typical_severity: 'High' });
    expect(data).toMatchObject({ impact: 4 });
    expect(data).not.toHaveProperty('riskLevel');
  });
});

describe('the TLP label of an object (mapping section 3)', () => {
  const white = 'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9';
  const red = 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1';
  const strict = 'marking-definition--826578e1-40ad-459f-bc73-ede076f81f37';
  const granular = [
    { marking_ref: red, selectors: ['description'] },
    { lang: 'en', selectors: ['name'] },
  ];

  test.each([
    [{ object_marking_refs: [white] }, 'TLP:WHITE'],
    [{ object_marking_refs: [white, strict] }, 'TLP:AMBER+STRICT'],
    [{ object_marking_refs: [white], granular_markings: granular }, 'TLP:RED'],
    [{ granular_markings: granular }, 'TLP:RED'],
    [{ object_marking_refs: ['marking-definition--unknown'] }, undefined],
  ])('with %j is %s', (fields, tlp) => {
    for (const type of ['vulnerability', 'malware']) expect(only(type, fields).data.tlp).toBe(tlp);
  });

  test.each([
    [{ definition_type: 'tlp', definition: { tlp: 'red' } }, 'TLP:RED'],
    [{ definition_type: 'tlp', definition: { tlp: 'TLP:Amber' } }, 'TLP:AMBER'],
    [{ extensions: { 'extension-definition--1': { tlp_2_0: 'amber+strict' } } }, 'TLP:AMBER+STRICT'],
    [{ definition: { statement: 'custom' }, x_opencti_definition: 'TLP:AMBER+STRICT' }, 'TLP:AMBER+STRICT'],
    [{ extensions: { 'extension-definition--2': { name: 'An IEP policy', tlp: 'red' } } }, 'TLP:RED'],
    [{ definition_type: 'TLP', definition: { TLP: 'TLP:RED' } }, 'TLP:RED'],
    [{ definition_type: 'TLP', name: 'TLP:AMBER' }, 'TLP:AMBER'],
    [{ definition_type: 'statement', definition: { statement: 'TLP:AMBER+STRICT' } }, 'TLP:AMBER+STRICT'],
    [{ name: 'TLP:GREEN', definition: { statement: 'tlp: red' } }, 'TLP:RED'],
    [{ name: 'red', definition: { statement: 'TLP:RED applies to the annex' } }, undefined],
    [{ definition_type: 'statement', definition: { statement: 'red' } }, undefined],
    [{ definition: { tlp: 'purple' }, extensions: [null, 'red'] }, undefined],
    [{ definition: null, extensions: 1 }, undefined],
  ])('is defined by the marking %j as %s', (marking, tlp) => {
    expect(definedTlp(marking)).toBe(tlp);
  });
});

describe('record of an object', () => {
  test.each([
    [{ revoked: true, x_mitre_deprecated: true }, 'revoked'],
    [{ x_mitre_deprecated: true }, 'deprecated'],
    [{ x_capec_status: 'Deprecated' }, 'deprecated'],
    [{ revoked: ' True' }, 'revoked'],
    [{ revoked: 1 }, 'revoked'],
    [{ x_mitre_deprecated: '1' }, 'deprecated'],
    [{ x_capec_status: 'DEPRECATED ' }, 'deprecated'],
    [{ revoked: 'false', x_mitre_deprecated: 0, x_capec_status: 'Draft' }, 'active'],
  ])('with %j is %s', (fields, state) => {
    expect(only('tool', fields).state).toBe(state);
  });

  test.each([
    [100, 100, []],
    ['85', 85, []],
    [null, undefined, []],
    [101, undefined, ['confidence-unusable']],
    ['0x55', undefined, ['confidence-unusable']],
  ])('with the confidence %j has %s', (confidence, expected, codes) => {
    const { records, warnings } = map('malware', { confidence });
    expect(records.map(({ data }) => (data as ThreatData).confidence)).toEqual([expected]);
    expect(warnings).toEqual(codes);
  });

  test('keeps the case of tactics', () => {
    const kill_chain_phases = [{ kill_chain_name: 'Mitre-Attack', phase_name: 'Exfiltration' }];
    expect(only('attack-pattern', { kill_chain_phases }).data).toMatchObject({ tactics: ['Exfiltration'] });
  });

  test('has the platforms of ATT&CK and those of the extension of OpenCTI', () => {
    const fields = { x_mitre_platforms: ['Linux'], ...ofMitre({ platforms: ['Windows', 'Linux'] }) };
    expect(only('attack-pattern', fields).data).toMatchObject({ platforms: ['Linux', 'Windows'] });
  });

  test('keeps the case of vocabulary terms and drops MISP machine tags', () => {
    const { data } = only('threat-actor', {
      sophistication: 'Expert',
      resource_level: 'Team',
      labels: ['misp:galaxy', 'misp-galaxy:threat-actor="APT 29"', 'apt', 'misp-galaxy'],
    });
    expect(data).toMatchObject({ capability: 'Expert, Team', labels: ['apt', 'misp-galaxy'] });
  });

  test('has each motivation, capability and label once, in its first writing', () => {
    const terms = {
      primary_motivation: 'ideology',
      secondary_motivations: ['Ideology', 'revenge'],
      sophistication: 'Expert',
      resource_level: 'expert',
      labels: ['Spy', 'sabotage'],
      threat_actor_types: ['spy', 'SPY'],
    };
    expect(only('threat-actor', terms).data).toMatchObject({
      motivation: 'ideology, revenge',
      capability: 'Expert',
      labels: ['Spy', 'sabotage'],
    });
  });

  test('has a motivation for threat actors but not for malware', () => {
    expect(only('threat-actor', { primary_motivation: 'spy' }).data).toMatchObject({ motivation: 'spy' });
    expect(only('malware', { primary_motivation: 'spy' }).data).not.toHaveProperty('motivation');
  });

  test('has its name and aliases in composed Unicode', () => {
    const name = 'Zoe\u0301';
    const record = only('malware', { name, aliases: ['Zo\u00E9', name, 'A\u030A', '\u00C5'] });
    expect(record).toMatchObject({ name: 'Zo\u00E9', data: { aliases: ['\u00C5'] } });
    expect(only('vulnerability', { name }).name).toBe('Zo\u00E9');
  });

  test.each(['vulnerability', 'malware'])(
    'of type %s has a name of one line without control and direction characters',
    (type) => {
      expect(only(type, { name: ' evil\u202Efdp.exe\nline2\u0007\t\u2028end ' }).name).toBe(
        'evilfdp.exe line2 end',
      );
      const { records, warnings } = map(type, { name: '\u202E\u0007' });
      expect(records[0]?.name).toBe(`Unnamed ${type}`);
      expect(warnings).toEqual(type === 'malware' ? [] : ['no-name']);
    },
  );

  test('that is named by its first alias has only the other aliases', () => {
    expect(only('tool', { name: undefined, aliases: ['A', 'B', 'A'] })).toMatchObject({
      name: 'A',
      data: { aliases: ['B'] },
    });
  });

  test.each(['\u200B', '\u00AD', '\u2060\uFEFF', '\u3164 \uFE0F'])(
    'whose name %j has no visible character has none',
    (name) => {
      const { records, warnings } = map('vulnerability', { name });
      expect(records[0]?.name).toBe('Unnamed vulnerability');
      expect(warnings).toEqual(['no-name']);
      const aliases = ['\u200B', 'Real name', 'Other'];
      expect(only('malware', { name, aliases })).toMatchObject({
        name: 'Real name',
        data: { aliases: ['Other'] },
      });
      expect(only('vulnerability', { name, external_references: [cve('CVE-2032-0001')] }).name).toBe(
        'CVE-2032-0001',
      );
    },
  );

  test('has aliases of one line without control and direction characters', () => {
    const { data } = only('malware', { name: 'A', aliases: ['\u202E', 'a\u202E\nb', 'a b', '\u2066A'] });
    expect(data).toMatchObject({ aliases: ['a b'] });
  });

  test('malware without a name gives no warning', () => {
    const { records, warnings } = map('malware', { name: undefined });
    expect(records[0]?.name).toBe('Unnamed malware');
    expect(warnings).toEqual([]);
  });
});

test.each([
  [{ type: 5 }, 'The object has a property type that is not a text'],
  [{ id: [] }, 'The object has a property id that is not a text'],
  [{ id: null }, 'The object has no id'],
  [{ id: ' ' }, 'The object has no id'],
])('%j fails', (fields, reason) => {
  expect(map('tool', fields)).toMatchObject({ outcome: 'failed', reason });
});

test.each([
  [{ objects: [{ type: 'tool' }, { type: 'malware' }] }, '2 objects'],
  [{ objects: [{ type: 'tool' }], id: undefined }, '1 object'],
  [{ objects: 'none' }, '0 objects'],
])(
  'a bundle among the objects of a bundle or envelope fails with the number of its objects: %j',
  (fields, count) => {
    const reason = `A bundle inside a bundle or envelope is not read. It contains ${count}: upload it as a separate file`;
    expect(map('bundle', fields)).toMatchObject({ outcome: 'failed', reason, warnings: [] });
  },
);

test.each([
  [{ name: 123 }, 'no-name', 'An object has no name, or one that is not a text,'],
  [
    { modified: 1_700_000_000 },
    'no-modified',
    'An object has no "modified" time, or one that is not a text,',
  ],
] as const)('%j is a warning that says so', (fields, code, message) => {
  expect(map('tool', fields).warnings).toEqual([code]);
  expect(warningMessages[code]).toContain(message);
});

describe('a relationship', () => {
  const target = { source_ref: `malware--${uuid}`, target_ref: `vulnerability--${uuid}` };
  test.each([['targets'], ['exploits'], ['has']])(
    'of type %s links a threat to a vulnerability',
    (relationship_type) => {
      const modified = '2024-01-01T00:00:00.000Z';
      const { outcome, relations } = map('relationship', { relationship_type, ...target, modified });
      expect(outcome).toBe('mapped');
      expect(relations).toEqual([
        {
          type: relationship_type,
          sourceId: target.source_ref,
          targetId: target.target_ref,
          version: { modified, state: 'active' },
        },
      ]);
    },
  );

  const others = 'Only relationships from a threat to a vulnerability are used';
  const ofType = (type: string): string =>
    `Relationships of type ${type} are not used, only those of targets, exploits, has`;
  test.each([
    [{ relationship_type: 'related-to', ...target }, ofType('related-to')],
    [{ relationship_type: 'x'.repeat(100), ...target }, ofType(`${'x'.repeat(60)}…`)],
    [{ relationship_type: 'related-to', ...target, target_ref: `identity--${uuid}` }, others],
    [{ relationship_type: 'targets', ...target, target_ref: `identity--${uuid}` }, others],
    [{ relationship_type: 'has', ...target, source_ref: `software--${uuid}` }, others],
    [{ relationship_type: 'targets' }, 'The relationship has no source_ref'],
    [{ ...target }, 'The relationship has no relationship_type'],
    [
      { relationship_type: 'targets', ...target, target_ref: 5 },
      'The relationship has a property target_ref that is not a text',
    ],
  ])('%j is not mapped', (fields, reason) => {
    const first = { created: '2024-01-01T00:00:00.000Z', modified: '2024-01-01T00:00:00.000Z' };
    expect(map('relationship', { ...fields, ...first })).toMatchObject({
      outcome: 'unmapped',
      reason,
      relations: [],
    });
  });

  const related = { relationship_type: 'related-to', ...target };
  const elsewhere = { target_ref: `attack-pattern--${uuid}` };
  test.each([
    ['of another type', related, 'active', 1],
    ['with another end', { relationship_type: 'targets', ...target, ...elsewhere }, 'active', 1],
    ['without ends', { relationship_type: 'targets' }, 'active', 1],
    ['without type and ends that is revoked', { revoked: true }, 'revoked', 1],
    [
      'of another type with another end that is revoked',
      { ...related, ...elsewhere, revoked: true },
      'revoked',
      1,
    ],
    ['of another type with another end', { ...related, ...elsewhere }, 'active', 0],
  ])(
    'that is not the first version, %s, replaces its other versions, unless type and end both differ',
    (_, fields, state, count) => {
      const modified = '2024-02-01T00:00:00.000Z';
      const replacing = { type: '', sourceId: '', targetId: '', version: { modified, state } };
      expect(
        map('relationship', { ...fields, created: '2024-01-01T00:00:00.000Z', modified }).relations,
      ).toEqual(count === 0 ? [] : [replacing]);
    },
  );

  test.each([
    ['revoked', { revoked: true }],
    ['deprecated', { x_mitre_deprecated: true }],
  ])('that is %s is not mapped, and replaces its other versions', (state, fields) => {
    expect(map('relationship', { relationship_type: 'targets', ...target, ...fields })).toMatchObject({
      outcome: 'unmapped',
      reason: `The relationship is ${state}`,
      relations: [{ version: { state } }],
    });
  });
});

test('mapObject never throws and returns JSON data, for any property values', () => {
  const keys = [
    'name',
    'description',
    'aliases',
    'labels',
    'external_references',
    'kill_chain_phases',
    'x_cvss',
    'x_capec_consequences',
    'x_capec_skills_required',
    'extensions',
    'confidence',
    'modified',
    'created',
    'object_marking_refs',
    'granular_markings',
    'relationship_type',
    '__proto__',
  ];
  const types = fc.constantFrom(
    'vulnerability',
    'attack-pattern',
    'threat-actor',
    'malware',
    'relationship',
    'x',
  );
  const values = fc.array(fc.tuple(fc.constantFrom(...keys), fc.jsonValue()), { maxLength: 8 });
  const property = fc.property(types, values, (type, entries) => {
    const { records } = map(type, Object.fromEntries(entries));
    expect(JSON.parse(JSON.stringify(records))).toEqual(records);
  });
  fc.assert(property, { numRuns: 500 });
});
