/** Threat types by number (spec 3, Enumerations). */
export const threatTypes: ReadonlyMap<number, string> = new Map([
  [1, 'Malware'],
  [2, 'Phishing'],
  [3, 'DDoS'],
  [4, 'Insider Threat'],
  [5, 'Data Breach'],
  [6, 'Social Engineering'],
]);

const bands = [
  { upTo: 30, word: 'Low', tone: 'low' },
  { upTo: 60, word: 'Medium', tone: 'medium' },
  { upTo: 100, word: 'High', tone: 'high' },
] as const;

/** Band of a risk level of 0 to 100 (spec 9, Threats: Low up to 30, Medium up to 60, High up to 100). */
export const riskBandOf = (level: number): (typeof bands)[number] =>
  bands.find(({ upTo }) => level <= upTo) ?? bands[2];
