import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { prose, uuid } from './sample-report.ts';

const head = `<?xml version="1.0" encoding="UTF-8"?>
<stix:STIX_Package
    xmlns:stix="http://stix.mitre.org/stix-1"
    xmlns:stixCommon="http://stix.mitre.org/common-1"
    xmlns:stixVocabs="http://stix.mitre.org/default_vocabularies-1"
    xmlns:et="http://stix.mitre.org/ExploitTarget-1"
    xmlns:ttp="http://stix.mitre.org/TTP-1"
    xmlns:indicator="http://stix.mitre.org/Indicator-2"
    xmlns:cybox="http://cybox.mitre.org/cybox-2"
    xmlns:DomainNameObj="http://cybox.mitre.org/objects#DomainNameObject-1"
    xmlns:example="http://example.org/"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    id="example:Package-${uuid('package')}" version="1.2" timestamp="2025-01-01T00:00:00Z">
`;
const time = 'timestamp="2025-01-01T00:00:00.000000Z"';

const target = (n: number): string => `
        <stixCommon:Exploit_Target id="example:et-${uuid(`e${n}`)}" ${time} xsi:type="et:ExploitTargetType">
            <et:Title>Weakness ${n} of the file service</et:Title>
            <et:Vulnerability>
                <et:Title>Memory corruption ${n}</et:Title>
                <et:Description>${prose(n)}</et:Description>
                <et:CVE_ID>CVE-${2000 + (n % 25)}-${10_000 + n}</et:CVE_ID>
                <et:CVSS_Score>
                    <et:Base_Score>${(n % 100) / 10}</et:Base_Score>
                </et:CVSS_Score>
                <et:References>
                    <stixCommon:Reference>https://example.org/advisories/${n}</stixCommon:Reference>
                </et:References>
            </et:Vulnerability>
            <et:Weakness>
                <et:CWE_ID>CWE-${20 + (n % 900)}</et:CWE_ID>
            </et:Weakness>
        </stixCommon:Exploit_Target>`;

const ttp = (n: number): string => `
        <stix:TTP id="example:ttp-${uuid(`t${n}`)}" ${time} xsi:type="ttp:TTPType">
            <ttp:Title>Malware family ${n}</ttp:Title>
            <ttp:Behavior>
                <ttp:Malware>
                    <ttp:Malware_Instance id="example:malware-${uuid(`m${n}`)}">
                        <ttp:Type xsi:type="stixVocabs:MalwareTypeVocab-1.0">Remote Access Trojan</ttp:Type>
                        <ttp:Name>Family ${n}</ttp:Name>
                        <ttp:Description>${prose(n + 1)}</ttp:Description>
                    </ttp:Malware_Instance>
                </ttp:Malware>
            </ttp:Behavior>
            <ttp:Exploit_Targets>
                <ttp:Exploit_Target>
                    <stixCommon:Exploit_Target idref="example:et-${uuid(`e${n}`)}" xsi:type="et:ExploitTargetType"/>
                </ttp:Exploit_Target>
            </ttp:Exploit_Targets>
        </stix:TTP>`;

const indicator = (n: number): string => `
        <stix:Indicator id="example:indicator-${uuid(`i${n}`)}" ${time} xsi:type="indicator:IndicatorType">
            <indicator:Title>Domains of family ${n}</indicator:Title>
            <indicator:Type xsi:type="stixVocabs:IndicatorTypeVocab-1.1">Domain Watchlist</indicator:Type>
            <indicator:Observable id="example:observable-${uuid(`o${n}`)}">
                <cybox:Object id="example:object-${uuid(`b${n}`)}">
                    <cybox:Properties xsi:type="DomainNameObj:DomainNameObjectType">
                        <DomainNameObj:Value condition="Equals">host-${n}.example.org</DomainNameObj:Value>
                    </cybox:Properties>
                </cybox:Object>
            </indicator:Observable>
            <indicator:Indicated_TTP>
                <stixCommon:TTP idref="example:ttp-${uuid(`t${n}`)}" xsi:type="ttp:TTPType"/>
            </indicator:Indicated_TTP>
        </stix:Indicator>`;

const lists = [
  { open: '    <stix:Indicators>', close: '\n    </stix:Indicators>\n', construct: indicator },
  { open: '    <stix:TTPs>', close: '\n    </stix:TTPs>\n', construct: ttp },
  { open: '    <stix:Exploit_Targets>', close: '\n    </stix:Exploit_Targets>\n', construct: target },
];

/** Bytes of one indicator, one TTP and one exploit target together. */
const groupBytes = lists.reduce((sum, { construct }) => sum + construct(1000).length, 0);

/** Writes a STIX 1.2 package of about `bytes` bytes: as many indicators, TTPs and exploit targets. */
export async function writeXmlSample(file: string, bytes: number): Promise<void> {
  const out = createWriteStream(file);
  const write = async (text: string) => {
    if (!out.write(text)) await once(out, 'drain');
  };
  const groups = Math.ceil(bytes / groupBytes);
  await write(head);
  for (const { open, close, construct } of lists) {
    await write(open);
    for (let n = 0; n < groups; n += 1) await write(construct(n));
    await write(close);
  }
  await write('</stix:STIX_Package>\n');
  out.end();
  await once(out, 'finish');
}
