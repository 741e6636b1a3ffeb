/** A vulnerability of a STIX 1.x exploit target. */
export interface Stix1Vulnerability {
  title?: string;
  cve?: string;
  discovered?: string;
}

const vulnerabilityElement = ({ title, cve, discovered }: Stix1Vulnerability): string => `
        <et:Vulnerability>
          ${title === undefined ? '' : `<et:Title>${title}</et:Title>`}
          ${cve === undefined ? '' : `<et:CVE_ID>${cve}</et:CVE_ID>`}
          ${discovered === undefined ? '' : `<et:Discovered_DateTime>${discovered}</et:Discovered_DateTime>`}
        </et:Vulnerability>`;

/** A STIX 1.1.1 package with one exploit target for each list of vulnerabilities, and a threat actor for each name. */
export const stix1Package = (
  targets: Stix1Vulnerability[][],
  actors: string[] = [],
): string => `<?xml version="1.0"?>
<stix:STIX_Package xmlns:stix="http://stix.mitre.org/stix-1" xmlns:et="http://stix.mitre.org/ExploitTarget-1"
    xmlns:ta="http://stix.mitre.org/ThreatActor-1" xmlns:stixCommon="http://stix.mitre.org/common-1"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:lab="http://lab.riskboard.test" id="lab:package-1" version="1.1.1">
  <stix:Exploit_Targets>${targets
    .map(
      (vulnerabilities, index) => `
      <stixCommon:Exploit_Target xsi:type="et:ExploitTargetType" id="lab:et-${index}">${vulnerabilities
        .map(vulnerabilityElement)
        .join('')}
      </stixCommon:Exploit_Target>`,
    )
    .join('')}
  </stix:Exploit_Targets>
  <stix:Threat_Actors>${actors
    .map(
      (name, index) => `
    <stix:Threat_Actor xsi:type="ta:ThreatActorType" id="lab:actor-${index}"><ta:Title>${name}</ta:Title></stix:Threat_Actor>`,
    )
    .join('')}
  </stix:Threat_Actors>
</stix:STIX_Package>
`;
