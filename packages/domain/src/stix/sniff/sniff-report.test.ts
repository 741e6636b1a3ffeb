import { describe, expect, test } from 'vitest';
import { sniffReport } from './sniff-report.ts';

const id = 'tool--11111111-1111-4111-8111-111111111111';
const stix = 'xmlns:s="http://stix.mitre.org/stix-1"';

describe('sniffReport accepts (mapping section 1)', () => {
  test.each([
    ['bundle 2.0', '{"type":"bundle","spec_version":"2.0","objects":[', 'json'],
    ['bundle with the type after the objects', '{"objects":[{}],"type":"bundle"}', 'json'],
    ['envelope', '{"more":true,"objects":[', 'json'],
    ['single object', `{"id":"${id}","type":"tool","spec_version":"2.1"}`, 'json'],
    ['single object with escapes', `{"i\\u0064":"${id}","type":"too\\u006c"}`, 'json'],
    ['single object with a property named objects', `{"id":"${id}","type":"tool","objects":{}}`, 'json'],
    ['list', '[{"type":"tool"', 'json'],
    ['empty list', '[]', 'json'],
    ['list of bundles and others', '[1, "a", [2], {"type":"bundle","objects":[]}]', 'json'],
    ['list without an identified element', '[{"name":"x"}]', 'json'],
    ['empty TAXII envelope', '{}', 'json'],
    ['empty TAXII envelope whose more is false', '{"more":false}', 'json'],
    ['byte order mark and blanks', '\uFEFF\n {"type":"bundle"}', 'json'],
    ['JSON that its head does not identify', '{"x":"', 'json'],
    ['package', `<?xml version="1.0"?><!-- a --><s:STIX_Package ${stix} version="1.1.1">`, 'xml'],
    ['default namespace', '<STIX_Package xmlns="http://stix.mitre.org/stix-1" version="1.2"/>', 'xml'],
    ['OASIS draft', '<STIX_Package xmlns="http://docs.oasis-open.org/cti/ns/stix/core-1"/>', 'xml'],
    [
      'namespace with character references',
      '<s:STIX_Package xmlns:s="http://stix&#46;mitre&#x2E;org/stix-1"/>',
      'xml',
    ],
    ['TAXII 1.0', '<Poll_Response xmlns="http://taxii.mitre.org/messages/taxii_xml_binding-1">', 'xml'],
    ['start tag cut off', '<s:STIX_Package xmlns:', 'xml'],
    ['DOCTYPE inside CDATA', `<s:STIX_Package ${stix}><![CDATA[<!DOCTYPE html>]]>`, 'xml'],
  ])('%s', (_, head, media) => {
    expect(sniffReport(head, /[}\]]$|\/>$/.test(head) && !head.endsWith(']>'))).toEqual({ media });
  });

  const modules = [
    ['TTP', 'TTP-1', 'ttp-1'],
    ['Indicator', 'Indicator-2', 'indicator-1'],
    ['Course_Of_Action', 'CourseOfAction-1', 'course-of-action-1'],
    ['Exploit_Target', 'ExploitTarget-1', 'exploit-target-1'],
    ['Threat_Actor', 'ThreatActor-1', 'threat-actor-1'],
    ['Campaign', 'Campaign-1', 'campaign-1'],
    ['Incident', 'Incident-1', 'incident-1'],
    ['Report', 'Report-1', 'report-1'],
    ['Observable', 'Indicator-2', 'indicator-1'],
  ] as const;
  test.each(modules)('a bare %s of its own namespace, the core and the common one', (local, mitre, oasis) => {
    const namespaces = [
      ...[mitre, 'stix-1', 'common-1'].map((name) => `http://stix.mitre.org/${name}`),
      ...[oasis, 'core-1', 'common-1'].map((name) => `http://docs.oasis-open.org/cti/ns/stix/${name}`),
    ];
    const sniffed = namespaces.map((uri) => sniffReport(`<x:${local} xmlns:x="${uri}" id="a"/>`, true));
    expect(sniffed).toEqual(namespaces.map(() => ({ media: 'xml' })));
  });
});

describe('sniffReport refuses', () => {
  test.each([
    ['empty', '', 'empty-file', 'empty'],
    ['text', 'hello', 'not-stix', 'neither JSON nor XML'],
    ['an archive', 'PK\u0003\u0004\u0014', 'not-stix', 'a ZIP archive. Unpack it'],
    [
      'objects that are not a list',
      '{"type":"bundle","objects":{"id":"x"}}',
      'malformed',
      '"objects" must be a list, not an object',
    ],
    [
      'objects that are not a list, without a type',
      '{"objects":null}',
      'malformed',
      'must be a list, not null',
    ],
    [
      'a value that is missing',
      '{"a": , "b": 1}',
      'malformed',
      'a value is expected here (line 1, column 7)',
    ],
    ['a name without quotes after a name', '\n{\n  "a": 1, b: 2}', 'malformed', '(line 3, column 11)'],
    [
      'a first member that is not JSON',
      '{"a" "b"}',
      'malformed',
      'a colon is expected here (line 1, column 6)',
    ],
    ['a name that cannot be stored', '{"a\\u0000":1}', 'not-stix', 'the keys "a\uFFFD"'],
    ['MISP event', '{"Event":{"info":"x"}}', 'not-stix', 'MISP event'],
    ['JSON Schema', '{"$id":"x","$schema":"y","type":"object"}', 'not-stix', 'JSON Schema'],
    ['Navigator layer', '{"name":"x","domain":"enterprise-attack","techniques":[]}', 'not-stix', 'Navigator'],
    ['other JSON', '{"a":1,"b":[2]}', 'not-stix', '"a", "b"'],
    ['a list of lists', '[[1,2],[3]]', 'not-stix', 'a JSON list without objects'],
    ['a list of values', ' [1, "{", true]', 'not-stix', 'a JSON list without objects'],
    ['nothing but brackets', '['.repeat(1000), 'malformed', '(line 1, column 1001)'],
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
    ['web page with a document type', '<!DOCTYPE html><html></html>', 'not-stix', 'this is a web page.'],
    ['web page in lower case', '\n<!-- a --><!doctype html>\n<p>', 'not-stix', 'this is a web page.'],
    ['web page with an attribute without quotes', '<HTML lang=en>', 'not-stix', 'this is a web page.'],
    ['a JSON string', '"{\\"type\\":\\"bundle\\"}"', 'not-stix', 'this is a single JSON string.'],
    ['a JSON value', ' null\n', 'not-stix', 'this is a single JSON value.'],
    ['a JSON number', '5', 'not-stix', 'this is a single JSON value.'],
    ['a string that is not closed', '"a', 'not-stix', 'neither JSON nor XML'],
    ['other JSON in lines', '{"a":1}\n{"a":2}', 'malformed', 'the second begins here (line 2, column 1)'],
    ['a text after other JSON', '{"a":1} x', 'malformed', 'the end of the text is expected here'],
    ['a CSAF advisory', '{"document":{},"vulnerabilities":[]}', 'not-stix', 'a CSAF advisory'],
    ['a TAXII error', '{"title":"x","http_status":"404"}', 'not-stix', 'a TAXII 2.x error message'],
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
    expect(sniffReport('"{', false)).toHaveProperty(
      'refusal.message',
      expect.stringContaining('JSON string'),
    );
  });
});

describe('sniffReport quotes a file without control and direction characters, on one line', () => {
  const hostile = '\u001B]0;owned\u0007\u001B[2J\n\u202Eevil';
  test.each([
    ['keys', JSON.stringify({ [hostile]: 1 }), '"]0;owned[2J evil"'],
    ['first characters', `x${hostile}`, '"x]0;owned[2J evi"'],
    ['a namespace', '<a xmlns="\u202E\u009B2J"/>', ' of 2J.'],
  ])('%s', (_, head, text) => {
    const { refusal } = sniffReport(head, true) as { refusal: { message: string } };
    expect(refusal.message).toContain(text);
    expect(refusal.message).not.toMatch(/[\p{Cc}\u202E]/u);
  });
});
