/** What was done, with what and by whom. Catalogue facts (names, tactics, likelihood, severity) are MITRE's. */

/** A technique of ATT&CK, with its tactics and the platforms that matter here. */
export interface SampleTechnique {
  id: string;
  name: string;
  tactics: readonly string[];
  platforms: readonly string[];
  text: string;
}

const windows = ['Windows'];
const anywhere = ['Linux', 'macOS', 'Windows'];
const network = ['Linux', 'Network Devices', 'Windows'];

export const techniques: readonly SampleTechnique[] = [
  {
    id: 'T1566.001',
    name: 'Spearphishing Attachment',
    tactics: ['initial-access'],
    platforms: anywhere,
    text: 'Freight offers, toll invoices and damage reports sent to dispatchers, each with a document that loads more.',
  },
  {
    id: 'T1566.002',
    name: 'Spearphishing Link',
    tactics: ['initial-access'],
    platforms: ['Office Suite', 'SaaS', 'Windows'],
    text: 'Links to copies of a carrier portal; the addresses differ from the real one by a hyphen.',
  },
  {
    id: 'T1190',
    name: 'Exploit Public-Facing Application',
    tactics: ['initial-access'],
    platforms: network,
    text: 'The way in of most incidents of the year: gateways, file exchange and the handbook, each days after a public proof.',
  },
  {
    id: 'T1133',
    name: 'External Remote Services',
    tactics: ['persistence', 'initial-access'],
    platforms: network,
    text: 'VPN and maintenance access of depots and service companies, used with passwords that were stolen elsewhere.',
  },
  {
    id: 'T1078',
    name: 'Valid Accounts',
    tactics: ['defense-evasion', 'persistence', 'privilege-escalation', 'initial-access'],
    platforms: ['Identity Provider', 'Network Devices', 'Windows'],
    text: 'Accounts of drivers who had left were still good for the tracking portal.',
  },
  {
    id: 'T1110.003',
    name: 'Password Spraying',
    tactics: ['credential-access'],
    platforms: ['Identity Provider', 'Office Suite', 'Windows'],
    text: 'One season and a year as the password, tried against every mailbox on four Sundays.',
  },
  {
    id: 'T1110.004',
    name: 'Credential Stuffing',
    tactics: ['credential-access'],
    platforms: ['Identity Provider', 'SaaS'],
    text: 'Pairs from a leaked list of a fuel card company, tried against the booking portal.',
  },
  {
    id: 'T1621',
    name: 'Multi-Factor Authentication Request Generation',
    tactics: ['credential-access'],
    platforms: ['Identity Provider', 'Office Suite', 'SaaS'],
    text: 'A night dispatcher got forty requests in an hour and confirmed the last of them.',
  },
  {
    id: 'T1656',
    name: 'Impersonation',
    tactics: ['defense-evasion'],
    platforms: ['Office Suite', 'SaaS'],
    text: 'Callers who gave themselves out for the help desk of the group, and for a haulier with new bank details.',
  },
  {
    id: 'T1195.002',
    name: 'Compromise Software Supply Chain',
    tactics: ['initial-access'],
    platforms: ['Linux', 'Windows'],
    text: 'An update of the customs declaration client was swapped for one day; it was caught by its signature.',
  },
  {
    id: 'T1059.001',
    name: 'PowerShell',
    tactics: ['execution'],
    platforms: windows,
    text: 'Second stages run from memory; script logging on the office machines made them visible.',
  },
  {
    id: 'T1204.002',
    name: 'Malicious File',
    tactics: ['execution'],
    platforms: anywhere,
    text: 'Archives that need a click: cargo photographs with a script among them.',
  },
  {
    id: 'T1053.005',
    name: 'Scheduled Task',
    tactics: ['execution', 'persistence', 'privilege-escalation'],
    platforms: windows,
    text: 'Tasks named after the label printer service, on each machine that was entered.',
  },
  {
    id: 'T1505.003',
    name: 'Web Shell',
    tactics: ['persistence'],
    platforms: network,
    text: 'Left on the remote access gateway and on the mail server of the company bought in spring.',
  },
  {
    id: 'T1068',
    name: 'Exploitation for Privilege Escalation',
    tactics: ['privilege-escalation'],
    platforms: ['Linux', 'Windows'],
    text: 'Kernel and polkit flaws on routing servers, after a build agent had run foreign code.',
  },
  {
    id: 'T1562.001',
    name: 'Disable or Modify Tools',
    tactics: ['defense-evasion'],
    platforms: windows,
    text: 'The endpoint protection was switched off by group policy an hour before the encryption.',
  },
  {
    id: 'T1003.001',
    name: 'LSASS Memory',
    tactics: ['credential-access'],
    platforms: windows,
    text: 'Memory of the login process written to a file and taken away from two print servers.',
  },
  {
    id: 'T1558.003',
    name: 'Kerberoasting',
    tactics: ['credential-access'],
    platforms: windows,
    text: 'Tickets of the label printing service account, whose password was from 2016.',
  },
  {
    id: 'T1021.001',
    name: 'Remote Desktop Protocol',
    tactics: ['lateral-movement'],
    platforms: windows,
    text: 'From depot to depot with the account of the site support.',
  },
  {
    id: 'T1021.002',
    name: 'SMB/Windows Admin Shares',
    tactics: ['lateral-movement'],
    platforms: windows,
    text: 'Copying to administrative shares, one warehouse after the other by address.',
  },
  {
    id: 'T1570',
    name: 'Lateral Tool Transfer',
    tactics: ['lateral-movement'],
    platforms: anywhere,
    text: 'Tools staged on the share for driver training videos.',
  },
  {
    id: 'T1567.002',
    name: 'Exfiltration to Cloud Storage',
    tactics: ['exfiltration'],
    platforms: anywhere,
    text: 'Contracts and customs papers of three clients copied to a storage account, 64 GB in a night.',
  },
  {
    id: 'T1486',
    name: 'Data Encrypted for Impact',
    tactics: ['impact'],
    platforms: ['ESXi', 'Windows'],
    text: 'The warehouse management of two sites stood still for 31 hours; picking went on with paper.',
  },
  {
    id: 'T1490',
    name: 'Inhibit System Recovery',
    tactics: ['impact'],
    platforms: ['ESXi', 'Windows'],
    text: 'Shadow copies were deleted and the snapshots of the virtual machines with them.',
  },
];

/** A pattern of CAPEC with both judgements, from which a risk level can be derived. */
export interface SamplePattern {
  id: number;
  name: string;
  likelihood: 'Low' | 'Medium' | 'High';
  severity: 'Very Low' | 'Low' | 'Medium' | 'High' | 'Very High';
  text: string;
}

export const patterns: readonly SamplePattern[] = [
  {
    id: 98,
    name: 'Phishing',
    likelihood: 'High',
    severity: 'Very High',
    text: 'Mass mail in the name of parcel services; reported by staff 312 times in the year.',
  },
  {
    id: 163,
    name: 'Spear Phishing',
    likelihood: 'High',
    severity: 'High',
    text: 'Mail to named dispatchers with true consignment numbers.',
  },
  {
    id: 94,
    name: 'Adversary in the Middle (AiTM)',
    likelihood: 'High',
    severity: 'Very High',
    text: 'A copy of the login page that passes on password and second factor and keeps the session.',
  },
  {
    id: 66,
    name: 'SQL Injection',
    likelihood: 'High',
    severity: 'High',
    text: 'The track-and-trace search of the company bought in spring built its query from the consignment number.',
  },
  {
    id: 63,
    name: 'Cross-Site Scripting (XSS)',
    likelihood: 'High',
    severity: 'Very High',
    text: 'Remarks on a booking were shown unescaped to the dispatcher.',
  },
  {
    id: 126,
    name: 'Path Traversal',
    likelihood: 'High',
    severity: 'Very High',
    text: 'Tried against every gateway of the group, thousands of times a day.',
  },
  {
    id: 88,
    name: 'OS Command Injection',
    likelihood: 'High',
    severity: 'High',
    text: 'The picture resizer of the damage report took its file name to a shell.',
  },
  {
    id: 664,
    name: 'Server Side Request Forgery',
    likelihood: 'High',
    severity: 'High',
    text: 'The call-back address that partners set for status messages reached the inside.',
  },
  {
    id: 586,
    name: 'Object Injection',
    likelihood: 'Medium',
    severity: 'High',
    text: 'The message bus of the old warehouse system deserialises what it is sent.',
  },
  {
    id: 70,
    name: 'Try Common or Default Usernames and Passwords',
    likelihood: 'Medium',
    severity: 'High',
    text: 'Gate controllers, cameras and two label printers answered to the password in their manual.',
  },
  {
    id: 125,
    name: 'Flooding',
    likelihood: 'High',
    severity: 'Medium',
    text: 'The booking portal in the peak weeks; each time with a demand for money.',
  },
  {
    id: 122,
    name: 'Privilege Abuse',
    likelihood: 'High',
    severity: 'Medium',
    text: 'A planner exported the rate sheets of every client in the week before leaving.',
  },
];

export interface SampleSoftware {
  /** Number in ATT&CK; absent for what is ours to name. */
  id?: string;
  name: string;
  types: readonly string[];
  text: string;
}

export const malware: readonly SampleSoftware[] = [
  {
    id: 'S1129',
    name: 'Akira',
    types: ['ransomware'],
    text: 'Encrypted the warehouse management of two sites in April.',
  },
  {
    id: 'S1202',
    name: 'LockBit 3.0',
    types: ['ransomware'],
    text: 'Found staged, not run, at the service company that maintains the conveyors.',
  },
  {
    id: 'S1070',
    name: 'Black Basta',
    types: ['ransomware'],
    text: 'Stopped a haulier that drives for us; its orders came by telephone for a week.',
  },
  {
    id: 'S0650',
    name: 'QakBot',
    types: ['trojan', 'downloader'],
    text: 'Answers into old mail threads with a zipped invoice; seen in spring only.',
  },
  {
    id: 'S0367',
    name: 'Emotet',
    types: ['trojan', 'downloader'],
    text: 'Old documents of its last wave still in quarantine and in one archive mailbox.',
  },
  {
    id: 'S0331',
    name: 'Agent Tesla',
    types: ['spyware', 'keylogger'],
    text: 'The payload of most toll invoices; sends what is typed to a mailbox.',
  },
  {
    id: 'S0154',
    name: 'Cobalt Strike',
    types: ['remote-access-trojan', 'backdoor'],
    text: 'Unlicensed copies as the second stage in April; four beacons, two profiles.',
  },
  {
    id: 'S0366',
    name: 'WannaCry',
    types: ['ransomware', 'worm'],
    text: 'Knocks on the crane segment about once a month from a machine that nobody has found.',
  },
  {
    name: 'GateLatch',
    types: ['backdoor'],
    text: 'Small script on a yard gate controller that reported number plates to a foreign host; our own name for it.',
  },
];

export const tools: readonly SampleSoftware[] = [
  {
    id: 'S0002',
    name: 'Mimikatz',
    types: ['credential-exploitation'],
    text: 'On the print servers, under the name of a printer driver.',
  },
  {
    id: 'S0521',
    name: 'BloodHound',
    types: ['information-gathering'],
    text: 'Its collector ran from a dispatcher machine for eleven minutes.',
  },
  {
    id: 'S0029',
    name: 'PsExec',
    types: ['remote-access'],
    text: 'Used by site support every day, which made the other use hard to see.',
  },
  {
    id: 'S0357',
    name: 'Impacket',
    types: ['remote-access', 'exploitation'],
    text: 'Remote execution over the service manager, from the maintenance network.',
  },
  {
    id: 'S1040',
    name: 'Rclone',
    types: ['unknown'],
    text: 'Carried the contracts to the storage account, under the name of a backup service.',
  },
  {
    name: 'Rented traffic generator',
    types: ['denial-of-service'],
    text: 'A service for rent behind the floods of the peak weeks; paid by the hour.',
  },
];

export interface SampleActor {
  name: string;
  type: string;
  sophistication: string;
  resources: string;
  motivation: string;
  goals: readonly string[];
  text: string;
}

export const actors: readonly SampleActor[] = [
  {
    name: 'Copper Pallet',
    type: 'crime-syndicate',
    sophistication: 'advanced',
    resources: 'organization',
    motivation: 'personal-gain',
    goals: ['Ransom for warehouses that stand still', 'Sale of customs papers'],
    text: 'Our name for the crew behind April. Patient, works office hours, buys its way in.',
  },
  {
    name: 'Departing planner',
    type: 'insider-disgruntled',
    sophistication: 'minimal',
    resources: 'individual',
    motivation: 'revenge',
    goals: ['Take clients along to the next employer'],
    text: 'One person with every right needed for the work, and two weeks of notice.',
  },
  {
    name: 'Harbour Lantern',
    type: 'activist',
    sophistication: 'intermediate',
    resources: 'club',
    motivation: 'ideology',
    goals: ['Stop shipments to a war', 'Be seen'],
    text: 'Announces its floods on a public channel an hour before they come.',
  },
];

export interface SampleIntrusionSet {
  id?: string;
  name: string;
  resources: string;
  motivation: string;
  firstSeen: string;
  text: string;
}

export const intrusionSets: readonly SampleIntrusionSet[] = [
  {
    id: 'G1024',
    name: 'Akira',
    resources: 'organization',
    motivation: 'personal-gain',
    firstSeen: '2023-03-01T00:00:00.000Z',
    text: 'The group whose software and negotiation page were used in April.',
  },
  {
    id: 'G1015',
    name: 'Scattered Spider',
    resources: 'team',
    motivation: 'personal-gain',
    firstSeen: '2022-05-01T00:00:00.000Z',
    text: 'The calls to the help desk are in its manner; nothing more than that speaks for it.',
  },
  {
    name: 'Invoice Tide',
    resources: 'team',
    motivation: 'personal-gain',
    firstSeen: '2025-02-10T00:00:00.000Z',
    text: 'The toll invoices of the year by one hand: same builder, same mailboxes, same spelling mistakes.',
  },
];

export interface SampleCampaign {
  name: string;
  objective: string;
  firstSeen: string;
  lastSeen: string;
  text: string;
}

export const campaigns: readonly SampleCampaign[] = [
  {
    name: 'Spring standstill',
    objective: 'Encrypt the warehouse management of several sites at once',
    firstSeen: '2025-03-28T00:00:00.000Z',
    lastSeen: '2025-04-17T00:00:00.000Z',
    text: 'From a leaked session on the gateway to encryption in twenty days.',
  },
  {
    name: 'Toll invoices',
    objective: 'Passwords of mailboxes and portals, for sale',
    firstSeen: '2025-02-10T00:00:00.000Z',
    lastSeen: '2025-11-30T00:00:00.000Z',
    text: 'Some 4,000 mails in ten months; two machines entered.',
  },
  {
    name: 'Peak week floods',
    objective: 'Money, and the portal down when it is needed most',
    firstSeen: '2025-11-24T00:00:00.000Z',
    lastSeen: '2025-12-19T00:00:00.000Z',
    text: 'Two outages of 40 and 95 minutes, five demands, none paid.',
  },
];
