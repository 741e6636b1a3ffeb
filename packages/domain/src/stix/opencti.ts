import { isObject, type JsonObject } from './json-value.ts';

function extensionOf(object: JsonObject, id: string): JsonObject {
  const { extensions } = object;
  const extension = isObject(extensions) ? extensions[id] : undefined;
  return isObject(extension) ? extension : {};
}

/** The extension in which the TAXII collections, streams and raw STIX of OpenCTI have its own properties; without one, none. */
export const openCtiProperties = (object: JsonObject): JsonObject =>
  extensionOf(object, 'extension-definition--ea279b3e-5c71-4632-ac08-831c66a786ba');

/** The extension in which OpenCTI has the properties of ATT&CK; without one, none. */
export const openCtiMitreProperties = (object: JsonObject): JsonObject =>
  extensionOf(object, 'extension-definition--322b8f77-262a-4cb8-a915-1e441e00329b');
