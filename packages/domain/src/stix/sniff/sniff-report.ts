import { quotedText } from '../clean-text.ts';
import { scalarRefusal, sniffJson, type Sniffed } from './sniff-json.ts';
import { sniffXml } from './sniff-xml.ts';

/** First characters of compressed files, as `TextDecoder` reads them: it replaces the second byte of gzip. */
const compressed = [
  ['PK\u0003\u0004', 'a ZIP archive'],
  ['\u001F\uFFFD', 'compressed with gzip'],
] as const;

/** What a file is that is neither JSON nor XML. */
function otherThanStix(text: string): string {
  const known = compressed.find(([start]) => text.startsWith(start));
  if (known) return `the file is ${known[1]}. Unpack it, and upload the reports in it.`;
  return `the file starts with "${quotedText(text.slice(0, 20), 20)}", which is neither JSON nor XML.`;
}

/**
 * Classifies an upload by its decoded first 64 KiB; `complete`: the head is the whole file. Refuses only what is
 * certainly not STIX; undecided files are accepted and left to the full read. The file name is ignored (mapping
 * section 1).
 */
export function sniffReport(head: string, complete: boolean): Sniffed {
  const whole = head.replace(/^\uFEFF/, '');
  const text = whole.trimStart();
  if (text === '') {
    if (!complete) return { media: 'json' };
    return { refusal: { code: 'empty-file', message: 'The file is empty.' } };
  }
  if (text.startsWith('<')) return sniffXml(text);
  if (text.startsWith('{') || text.startsWith('[')) return sniffJson(whole, complete);
  const refusal = scalarRefusal(text, complete);
  if (refusal !== undefined) return { refusal };
  return { refusal: { code: 'not-stix', message: `Not a STIX report: ${otherThanStix(text)}` } };
}
