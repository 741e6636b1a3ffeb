import { describe, expect, test } from 'vitest';
import { sniffReport } from './sniff-report.ts';

const id = 'tool--11111111-1111-4111-8111-111111111111';
const stix = 'xmlns:s="http://stix.mitre.org/stix-1"';

describe('sniffReport accepts (mapping section 1)', () => {
  test.each([
    ['bundle 2.0', '{"type":"bundle","spec_version":"2.0","objects":[', 'json', '2.0'],
    ['bundle 2.1', '{"type":"bundle","objects":[{"spec_version": "2.1"', 'json', '2.1'],
    ['bundle with the type after the objects', '{"objects":[{}],"type":"bundle"}', 'json', null],
    ['envelope', '{"more":true,"objects":[', 'json', null],
    ['single object', `{"id":"${id}","type":"tool","spec_version":"2.1"}`, 'json', '2.1'],
    ['list', '[{"type":"tool"', 'json', null],
    ['empty answer', '{}', 'json', null],
    ['byte order mark and blanks', '\uFEFF\n {"type":"bundle"}', 'json', null],
    ['JSON that its head does not identify', '{"x":"', 'json', null],
    ['package', `<?xml version="1.0"?><!-- a --><s:STIX_Package ${stix} version="1.1.1">`, 'xml', '1.1.1'],
    ['default namespace', '<STIX_Package xmlns="http://stix.mitre.org/stix-1" version="1.2"/>', 'xml', '1.2'],
    ['OASIS draft', '<STIX_Package xmlns="http://docs.oasis-open.org/cti/ns/stix/core-1"/>', 'xml', null],
    ['TAXII 1.0', '<Poll_Response xmlns="http://taxii.mitre.org/messages/taxii_xml_binding-1">', 'xml', null],
    ['start tag cut off', '<s:STIX_Package xmlns:', 'xml', null],
    ['DOCTYPE inside CDATA', `<s:STIX_Package ${stix}><![CDATA[<!DOCTYPE html>]]>`, 'xml', null],
  ])('%s', (_, head, media, stixVersion) => {
    expect(sniffReport(head, head.endsWith('}') || head.endsWith('/>'))).toEqual({ media, stixVersion });
  });
});

describe('a TAXII message', () => {
  const taxii = 'xmlns="http://taxii.mitre.org/messages/taxii_xml_binding-1.1"';
  const carrying = (...versions: string[]): string =>
    `<Poll_Response ${taxii}>${versions.map((version) => `<s:STIX_Package ${stix}\n version="${version}"/>`).join('')}</Poll_Response>`;

  test.each([
    [['1.2'], '1.2'],
    [['1.1.1', '1.2', '1.1.1'], '1.1.1,1.2'],
    [[], null],
  ])('with packages of versions %j has version %j', (versions, stixVersion) => {
    expect(sniffReport(carrying(...versions), true)).toEqual({ media: 'xml', stixVersion });
  });

  test('whose end is missing has no version, since it may contain others', () => {
    expect(sniffReport(carrying('1.2'), false)).toEqual({ media: 'xml', stixVersion: null });
  });
});

describe('sniffReport refuses', () => {
  test.each([
    ['empty', '', 'empty-file', 'empty'],
    ['text', 'hello', 'not-stix', 'neither JSON nor XML'],
    ['MISP event', '{"Event":{"info":"x"}}', 'not-stix', 'MISP event'],
    ['JSON Schema', '{"$id":"x","$schema":"y","type":"object"}', 'not-stix', 'JSON Schema'],
    ['Navigator layer', '{"name":"x","domain":"enterprise-attack","techniques":[]}', 'not-stix', 'Navigator'],
    ['other JSON', '{"a":1,"b":[2]}', 'not-stix', '"a", "b"'],
    ['CybOX', '<c:Observables xmlns:c="http://cybox.mitre.org/cybox-2"/>', 'not-stix', 'CybOX'],
    [
      'CybOX under the prefix stix',
      '<stix:Observables xmlns:stix="http://cybox.mitre.org/cybox-2"/>',
      'not-stix',
      'CybOX',
    ],
    [
      'MAEC',
      '<m:MAEC_Package xmlns:m="http://maec.mitre.org/XMLSchema/maec-package-2"/>',
      'not-stix',
      'MAEC',
    ],
    ['OpenIOC', '<ioc xmlns="http://schemas.mandiant.com/2010/ioc"/>', 'not-stix', 'OpenIOC'],
    ['web page', '<html></html>', 'not-stix', 'web page'],
    ['package without namespace', '<STIX_Package/>', 'no-stix-content', 'outside the STIX namespaces'],
    [
      'TAXII discovery',
      '<Discovery_Response xmlns="http://taxii.mitre.org/messages/taxii_xml_binding-1.1"/>',
      'no-stix-content',
      'Discovery_Response',
    ],
    ['document type', '<?xml version="1.0"?>\n<!-- x --><!DOCTYPE a><a/>', 'doctype', '<!DOCTYPE'],
  ])('%s', (_, head, code, text) => {
    const sniffed = sniffReport(head, true);
    expect(sniffed).toMatchObject({ refusal: { code } });
    expect(sniffed).toHaveProperty('refusal.message', expect.stringContaining(text));
  });

  test('sniffReport leaves a file that its head does not identify to the full read', () => {
    expect(sniffReport('{"a":1,', false)).toHaveProperty('media', 'json');
    expect(sniffReport('   ', false)).toHaveProperty('media');
  });
});
