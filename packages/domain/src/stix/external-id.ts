import { compact } from './compact.ts';
import { objectsAt, textAt, type JsonObject } from './json-value.ts';
import { openCtiMitreProperties } from './opencti.ts';
import type { ExternalId, Reference } from './record.ts';

/**
 * Techniques, software, groups, campaigns, tactics of ATT&CK; ATLAS prefixes its own with `AML.`. ATT&CK had `PRE-` and `MOB-`
 * until 2018, and galaxies of MISP still do.
 */
const mitreId = /^(?:AML\.|PRE-|MOB-)?(?:T|S|G|C|M|TA|CS)\d{4}(?:\.\d{3})?$/i;
/** CAPEC's own ids, of three digits so far, or an ATT&CK id in the wrong catalogue (elevator writes capec + T1068). */
const capecId = /^(?:CAPEC-\d{1,6}|T\d{4}(?:\.\d{3})?)$/i;
const bareNumber = /^0*([1-9]\d{0,5})$/;
/** MISP producers reference only CAPEC and append the technique to the name: "Phishing - T1566". */
const nameSuffix = / - ((?:PRE-|MOB-)?T\d{4}(?:\.\d{3})?)$/i;

/** The id in upper case, as the catalogues write it. */
function matching(text: string | undefined, pattern: RegExp): string | undefined {
  const id = text?.trim();
  return id !== undefined && pattern.test(id) ? id.toUpperCase() : undefined;
}

const sourceOf = (reference: JsonObject): string => textAt(reference, 'source_name')?.toLowerCase() ?? '';

/** A CAPEC or ATT&CK technique id; 1.x writes both into `capec_id`. A number alone is one of CAPEC. */
export function readCapecId(text: string | undefined): string | undefined {
  const number = bareNumber.exec(text?.trim() ?? '')?.[1];
  return number === undefined ? matching(text, capecId) : `CAPEC-${number}`;
}

/**
 * The catalogue id to show for a threat: from a MITRE reference, else OpenCTI's property, else the suffix of the name, else a
 * CAPEC reference (mapping section 5). Never the STIX id.
 */
export function threatIdOf(object: JsonObject): string | undefined {
  const references = objectsAt(object, 'external_references');
  const mitre = references
    .filter((reference) => sourceOf(reference).startsWith('mitre-'))
    .map((reference) => matching(textAt(reference, 'external_id'), mitreId));
  const extension = openCtiMitreProperties(object);
  const openCti = [
    textAt(object, 'x_mitre_id'),
    textAt(extension, 'id'),
    // Of earlier versions.
    textAt(extension, 'mitre_id'),
  ].map((id) => matching(id, mitreId));
  const suffix = nameSuffix.exec(textAt(object, 'name') ?? '')?.[1]?.toUpperCase();
  const capec = references
    .filter((reference) => sourceOf(reference) === 'capec')
    .map((reference) => readCapecId(textAt(reference, 'external_id')));
  return [...mitre, ...openCti, suffix, ...capec].find((id) => id !== undefined);
}

/** Every external reference with a source and an id. */
export function externalIdsOf(object: JsonObject): ExternalId[] {
  return objectsAt(object, 'external_references').flatMap((reference) => {
    const source = textAt(reference, 'source_name');
    const id = textAt(reference, 'external_id');
    return source === undefined || id === undefined ? [] : [{ source, id }];
  });
}

/** Every external reference with a URL. */
export function referencesOf(object: JsonObject): Reference[] {
  return objectsAt(object, 'external_references')
    .filter((reference) => textAt(reference, 'url') !== undefined)
    .map((reference) =>
      compact<Reference>({
        sourceName: textAt(reference, 'source_name'),
        url: textAt(reference, 'url'),
        externalId: textAt(reference, 'external_id'),
        description: textAt(reference, 'description'),
      }),
    );
}
