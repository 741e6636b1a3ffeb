import { severityBands } from '../../scales.ts';
import { firstNewDay } from '../days.ts';
import { overviewLinks } from '../insights.ts';
import { countInputs, type Explained, leftOut, part, type State } from './inputs.ts';

export function explainThreats({ counts: { totalThreats, highThreats } }: State): Explained {
  return {
    label: 'Total Threats',
    value: totalThreats,
    formula: 'All threats of the organization. High: a risk level above 60.',
    inputs: [
      part(countInputs.highThreats.name, highThreats, overviewLinks.highThreats),
      part(
        'Threats with a lower risk level, or without one',
        totalThreats - highThreats,
        '/dashboard/threats?risk=medium&risk=low&risk=N%2FA',
      ),
    ],
  };
}

export function explainActiveThreats({ counts: { totalThreats, activeThreats } }: State): Explained {
  return {
    label: 'Active Threats',
    value: activeThreats,
    formula: 'Threats whose state is Active: all threats less the inactive ones.',
    inputs: [
      part('Threats', totalThreats, overviewLinks.threats),
      leftOut('Inactive threats', totalThreats - activeThreats, '/dashboard/threats?isActive=false'),
    ],
  };
}

export function explainOpen({ totals, counts }: State): Explained {
  const bands = totals.get('openSeverity');
  return {
    label: 'Open Vulnerabilities',
    value: counts.openVulnerabilities,
    formula: 'Vulnerabilities with the status Open, by severity.',
    inputs: [
      ...severityBands.map(({ value, label }) =>
        part(`${label} severity`, bands?.get(value)?.count ?? 0, `${overviewLinks.open}&severity=${value}`),
      ),
      part('Without a severity', bands?.get('none')?.count ?? 0, `${overviewLinks.open}&severity=N%2FA`),
    ],
  };
}

export function explainNew({ counts: { openVulnerabilities, newVulnerabilities }, today }: State): Explained {
  const last = new Date(Date.parse(`${firstNewDay(today)}T00:00:00.000Z`) - 1).toISOString();
  return {
    label: 'New Vulnerabilities',
    value: newVulnerabilities,
    formula:
      'Open vulnerabilities that were created today or on one of the 30 days before, in UTC: all open ones less the older ones.',
    inputs: [
      part(countInputs.openVulnerabilities.name, openVulnerabilities, overviewLinks.open),
      leftOut(
        'Open vulnerabilities that were created earlier',
        openVulnerabilities - newVulnerabilities,
        `${overviewLinks.open}&createdAtMax=${encodeURIComponent(last)}`,
      ),
    ],
  };
}

export function explainAtRisk({ counts: { assets, assetsAtRisk } }: State): Explained {
  return {
    label: 'Assets at Risk',
    value: assetsAtRisk,
    formula:
      'Assets with the health Critical or a risk score of 7 or more: all assets less the others. Related vulnerabilities and threats of every status count.',
    inputs: [
      part('Assets', assets, '/dashboard/assets'),
      leftOut('Assets that are not at risk', assets - assetsAtRisk, '/dashboard/assets?status=N%2FA'),
    ],
  };
}
