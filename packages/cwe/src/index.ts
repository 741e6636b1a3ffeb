export { bundledVersion, readBundled } from './bundled.ts';
export {
  type CatalogueContent,
  CatalogueFault,
  type CweData,
  type CweEntry,
  type CweRelation,
} from './catalogue.ts';
export { cweNotice } from './notice.ts';
export { readCatalogue } from './read-catalogue.ts';
export { restCatalogue, weaknessIn } from './rest-entries.ts';
