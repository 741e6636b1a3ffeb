// Reads XML from its standard input and writes its JSON form; ends with another exit code when it has none.
import { writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { XMLParser } from 'fast-xml-parser';

// When memory runs out, Linux ends this process and not the api.
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  htmlEntities: true,
  maxNestedTags: 256,
});
const form = JSON.stringify(parser.parse(await text(process.stdin)));
process.stdout.write(form);
