export { checkGrammar } from './json-grammar.ts';
export { type JsonHandler, type JsonSlice, JsonSlicer } from './json-slicer.ts';
export { mostValues } from './most-values.ts';
export { JsonSyntaxError } from './syntax-error.ts';
