/** Built-in tools, without the command line: each set of them as a source. */
export { builtinSource, type BuiltinSourceOptions } from './sources/builtins/builtin-source.js'
export type { BuiltinName, BuiltinSettings } from './platform/config/schema/builtins-schema.js'
