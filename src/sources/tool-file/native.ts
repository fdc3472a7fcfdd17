/** The protocol's name in external mappings and native facts. */
export const AML = 'aml'
