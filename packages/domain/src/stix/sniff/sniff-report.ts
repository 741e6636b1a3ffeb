import { cleanText } from '../clean-text.ts';
import { sniffJson, type Sniffed } from './sniff-json.ts';
import { sniffXml } from './sniff-xml.ts';

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
  const start = cleanText(text.slice(0, 20));
  const message = `Not a STIX report: the file starts with "${start}", which is neither JSON nor XML.`;
  return { refusal: { code: 'not-stix', message } };
}
