import { sniffJson, type Sniffed } from './sniff-json.ts';
import { sniffXml } from './sniff-xml.ts';

/**
 * Classifies an upload by its decoded first 64 KiB; `complete`: the head is the whole file. Refuses only what is
 * certainly not STIX; undecided files are accepted and left to the full read. The file name is ignored (mapping
 * section 1).
 */
export function sniffReport(head: string, complete: boolean): Sniffed {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  if (text === '') {
    if (!complete) return { media: 'json', stixVersion: null };
    return { refusal: { code: 'empty-file', message: 'The file is empty.' } };
  }
  if (text.startsWith('<')) return sniffXml(text, complete);
  if (text.startsWith('{') || text.startsWith('[')) return sniffJson(text, complete);
  const message = `Not a STIX report: the file starts with "${text.slice(0, 20)}", which is neither JSON nor XML.`;
  return { refusal: { code: 'not-stix', message } };
}
