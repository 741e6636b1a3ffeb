import { describe, expect, test } from 'vitest';
import { readAll, type ReadResult } from '../../testing/test-sink.ts';

const mitre = {
  stix: 'http://stix.mitre.org/stix-1',
  c: 'http://stix.mitre.org/common-1',
  report: 'http://stix.mitre.org/Report-1',
  et: 'http://stix.mitre.org/ExploitTarget-1',
  ttp: 'http://stix.mitre.org/TTP-1',
  i: 'http://stix.mitre.org/Incident-1',
  ind: 'http://stix.mitre.org/Indicator-2',
  ta: 'http://stix.mitre.org/ThreatActor-1',
  ca: 'http://stix.mitre.org/Campaign-1',
  cybox: 'http://cybox.mitre.org/cybox-2',
};
const oasis = {
  stix: 'http://docs.oasis-open.org/cti/ns/stix/core-1',
  c: 'http://docs.oasis-open.org/cti/ns/stix/common-1',
  report: 'http://docs.oasis-open.org/cti/ns/stix/report-1',
  et: 'http://docs.oasis-open.org/cti/ns/stix/exploit-target-1',
  ttp: 'http://docs.oasis-open.org/cti/ns/stix/ttp-1',
  i: 'http://docs.oasis-open.org/cti/ns/stix/incident-1',
  ind: 'http://docs.oasis-open.org/cti/ns/stix/indicator-1',
  ta: 'http://docs.oasis-open.org/cti/ns/stix/threat-actor-1',
  ca: 'http://docs.oasis-open.org/cti/ns/stix/campaign-1',
  cybox: 'http://docs.oasis-open.org/cti/ns/cybox/core-2',
};

const others = {
  x: 'urn:x-acme',
  ioc: 'http://schemas.mandiant.com/2010/ioc',
  m: 'http://data-marking.mitre.org/Marking-1',
  ex: 'urn:ex',
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
};

function read(content: string, namespaces: Record<string, string> = mitre): Promise<ReadResult> {
  const all = Object.entries({ ...namespaces, ...others }).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`);
  return readAll(`<stix:STIX_Package ${all.join(' ')} version="1.2">${content}</stix:STIX_Package>`);
}

const report = (inside: string): string =>
  `<stix:Reports><stix:Report id="ex:r" xsi:type="report:ReportType">${inside}</stix:Report></stix:Reports>`;
const vulnerable = '<et:Vulnerability><et:CVE_ID>CVE-2014-0160</et:CVE_ID></et:Vulnerability>';

describe.each([
  ['MITRE', mitre],
  ['OASIS', oasis],
])('the definitions in a Report, in the namespaces of %s', (_owner, namespaces) => {
  test('are extracted and counted', async () => {
    const { summary, records } = await read(
      report(`
        <report:Header><report:Title>Report</report:Title></report:Header>
        <report:Observables><cybox:Observable id="ex:o"/></report:Observables>
        <report:Indicators><report:Indicator id="ex:in"/></report:Indicators>
        <report:TTPs><report:TTP id="ex:t"><ttp:Title>Rat</ttp:Title></report:TTP><report:TTP idref="ex:t"/></report:TTPs>
        <report:Exploit_Targets><c:Exploit_Target id="ex:e">${vulnerable}</c:Exploit_Target></report:Exploit_Targets>
        <report:Exploit_Targets><report:Exploit_Target id="ex:e2">${vulnerable}</report:Exploit_Target></report:Exploit_Targets>
        <report:Incidents><report:Incident id="ex:i"/></report:Incidents>
        <report:Courses_Of_Action><report:Course_Of_Action id="ex:co"/></report:Courses_Of_Action>
        <report:Campaigns><report:Campaign><ca:Title>Bran</ca:Title></report:Campaign></report:Campaigns>
        <report:Threat_Actors><report:Threat_Actor id="ex:a"><ta:Title>Ada</ta:Title></report:Threat_Actor></report:Threat_Actors>
        <report:Related_Reports><report:Related_Report><c:Report idref="ex:r2"/></report:Related_Report></report:Related_Reports>`),
      namespaces,
    );
    expect(summary.objects).toEqual({
      Report: 1,
      Observable: 1,
      Indicator: 1,
      TTP: 1,
      ExploitTarget: 2,
      Incident: 1,
      CourseOfAction: 1,
      Campaign: 1,
      ThreatActor: 1,
    });
    expect(records.map(({ type, name }) => [type, name])).toEqual([
      ['ttp', 'Rat'],
      ['vulnerability', 'CVE-2014-0160'],
      ['vulnerability', 'CVE-2014-0160'],
      ['campaign', 'Bran'],
      ['threat-actor', 'Ada'],
    ]);
  });
});

describe('an element is counted as a definition', () => {
  test.each([
    [
      'Observable of STIX itself',
      '<stix:Observables><stix:Observable id="ex:1"/></stix:Observables>',
      'Observable',
    ],
    [
      'Course_Of_Action that an incident took',
      '<i:COA_Taken><i:Time/><i:Course_Of_Action><c:Title>Reset</c:Title></i:Course_Of_Action></i:COA_Taken>',
      'CourseOfAction',
    ],
    [
      'Course_Of_Action with an id that an incident took',
      '<i:COA_Taken><i:Course_Of_Action id="ex:1"/></i:COA_Taken>',
      'CourseOfAction',
    ],
    [
      'Indicator of a composite expression',
      '<ind:Composite_Indicator_Expression><ind:Indicator id="ex:1"/></ind:Composite_Indicator_Expression>',
      'Indicator',
    ],
    [
      'Exploit_Target of its own namespace',
      '<ttp:Exploit_Targets><et:Exploit_Target id="ex:1"/></ttp:Exploit_Targets>',
      'ExploitTarget',
    ],
    [
      'Exploit_Target in a relationship',
      '<ttp:Exploit_Target><c:Confidence/><c:Exploit_Target id="ex:1"/></ttp:Exploit_Target>',
      'ExploitTarget',
    ],
    ['TTP that is text only', '<stix:TTP>Phishing</stix:TTP>', 'TTP'],
    ['Indicator that is text only', '<stix:Indicator>1.2.3.4</stix:Indicator>', 'Indicator'],
    ['construct by its schema type', '<x:Actor xsi:type="ta:ThreatActorType" id="ex:1"/>', 'ThreatActor'],
    ['unknown element with an id', '<x:Widgets><x:Widget id="ex:1"/></x:Widgets>', '{urn:x-acme}Widget'],
    [
      'unknown element inside a construct',
      '<stix:TTP idref="ex:0"><x:Widget id="ex:1"/></stix:TTP>',
      '{urn:x-acme}Widget',
    ],
    [
      'unknown element of STIX in a package',
      '<stix:Widgets><stix:Widget id="ex:1"/></stix:Widgets>',
      `{${mitre.stix}}Widget`,
    ],
    [
      'construct of an unknown namespace',
      '<x:Campaign><ca:Title>A</ca:Title></x:Campaign>',
      '{urn:x-acme}Campaign',
    ],
    ['element without a namespace', '<Widget id="ex:1"/>', 'Widget'],
  ])('%s', async (_what, content, type) => {
    const { summary } = await read(content);
    expect(summary.objects).toEqual({ [type]: 1 });
  });
});

describe('an element is no definition', () => {
  test.each([
    ['reference', '<report:TTP idref="ex:1"/>'],
    ['relationship', '<i:Threat_Actor><c:Threat_Actor idref="ex:1"/></i:Threat_Actor>'],
    ['relationship with a confidence', '<ttp:Exploit_Target><c:Confidence/></ttp:Exploit_Target>'],
    ['element without content', '<report:TTP/>'],
    ['element with blanks only', '<report:TTP>\n  </report:TTP>'],
    [
      'related package',
      '<stix:Related_Packages><stix:Related_Package><stix:Package id="ex:p"/></stix:Related_Package></stix:Related_Packages>',
    ],
    ['kill chain', '<stix:TTPs><stix:Kill_Chains><c:Kill_Chain id="ex:k"/></stix:Kill_Chains></stix:TTPs>'],
    [
      'part of the header',
      '<stix:STIX_Header><stix:Information_Source><c:Identity id="ex:1"/></stix:Information_Source></stix:STIX_Header>',
    ],
    [
      'marking',
      '<x:Part><stix:Handling><m:Marking id="ex:1"><x:Structure id="ex:2"/></m:Marking></stix:Handling></x:Part>',
    ],
    [
      'object of a pool',
      '<stix:Observables><cybox:Pools><cybox:Object id="ex:1"/></cybox:Pools></stix:Observables>',
    ],
    [
      'indicator of OpenIOC',
      '<ioc:ioc id="1"><ioc:Indicator id="2"><ioc:IndicatorItem id="3"/></ioc:Indicator></ioc:ioc>',
    ],
    [
      'element in a comment or CDATA',
      '<!-- <stix:TTP id="ex:1"/> --><x:T><![CDATA[<stix:TTP id="ex:1"/>]]></x:T>',
    ],
  ])('%s', async (_what, content) => {
    const { summary } = await read(content);
    expect(summary.objects).toEqual({});
  });

  test('the parts of a construct, with or without ids', async () => {
    const { summary } = await read(
      `<stix:TTP id="ex:t"><ttp:Description id="ex:d">x</ttp:Description><ttp:Behavior><ttp:Malware>
        <ttp:Malware_Instance id="ex:m"/></ttp:Malware></ttp:Behavior></stix:TTP>
      <cybox:Observable id="ex:o"><cybox:Object id="ex:ob"/></cybox:Observable>`,
    );
    expect(summary.objects).toEqual({ TTP: 1, Observable: 1 });
  });
});

test('a TTP is related to an exploit target without a relationship around it', async () => {
  const malware =
    '<ttp:Malware><ttp:Malware_Instance><ttp:Name>M</ttp:Name></ttp:Malware_Instance></ttp:Malware>';
  const target = `<et:Exploit_Target id="ex:e">${vulnerable}</et:Exploit_Target>`;
  const { relations } = await read(
    `<stix:TTP id="ex:t"><ttp:Behavior>${malware}</ttp:Behavior><ttp:Exploit_Targets>${target}</ttp:Exploit_Targets></stix:TTP>`,
  );
  expect(relations.map(({ targetId }) => targetId)).toEqual(['{urn:ex}e']);
});

test('a construct without a package in a TAXII content block is read, with a warning', async () => {
  const content = (inside: string): string =>
    `<t:Content_Block><t:Content>${inside}</t:Content></t:Content_Block>`;
  const bare = '<TTP xmlns="http://stix.mitre.org/TTP-1" id="t-1"><Title>Rat</Title></TTP>';
  const { summary, records } = await readAll(
    `<t:Poll_Response xmlns:t="http://taxii.mitre.org/messages/taxii_xml_binding-1.1">${content(bare)}${content('<x/>')}</t:Poll_Response>`,
  );
  expect(records).toMatchObject([{ key: 'stix1:t-1', name: 'Rat', stixVersion: null }]);
  expect(summary.warnings.map(({ code }) => code)).toEqual(['fragment', 'content-not-stix']);
});

test('a related campaign without an id is a reference by its names', async () => {
  const related = (inside: string): string =>
    `<ind:Related_Campaigns><ind:Related_Campaign>${inside}</ind:Related_Campaign></ind:Related_Campaigns>`;
  const { summary, records } = await read(
    `<stix:Indicator id="ex:i">
      ${related('<c:Campaign><c:Names><c:Name>Night Dragon</c:Name></c:Names></c:Campaign>')}
      ${related('<c:Campaign id="ex:c"><ca:Title>Aurora</ca:Title></c:Campaign>')}
      ${related('<c:Campaign xsi:type="ca:CampaignType"><ca:Title>Elderwood</ca:Title></c:Campaign>')}
    </stix:Indicator>`,
  );
  expect(records.map(({ name }) => name)).toEqual(['Aurora', 'Elderwood']);
  expect(summary.objects).toEqual({ Indicator: 1, Campaign: 2 });
});
