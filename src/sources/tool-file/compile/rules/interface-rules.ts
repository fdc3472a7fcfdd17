import { error, warning } from './rule.js'

/** Problems of the schemas in `interface`. */
export const interfaceRules = {
  'aml/schema-object': error('A schema is no object', 'Write a JSON Schema, such as { type: string }.'),
  'aml/schema-top-level': error(
    'The top level is not type: object',
    'Set type: object at the top of the schema.',
  ),
  'aml/schema-reference': error(
    'A schema uses $ref, $id, definitions or another reference',
    'Write the schema out in its place.',
  ),
  'aml/schema-keyword': error(
    'A keyword is not part of the subset of JSON Schema',
    'Use a keyword of draft-07.',
  ),
  'aml/schema-type': error(
    'A type is not known',
    'Use string, number, integer, boolean, object, array or null.',
  ),
  'aml/schema-format': error(
    'A format is not supported',
    'Use date, date-time, time, email, uri, uuid, ipv4 or ipv6.',
  ),
  'aml/schema-value': error(
    'A keyword has a value of the wrong type',
    'Write the value that the keyword needs.',
  ),
  'aml/schema-pattern': error('A pattern is no regular expression', 'Correct the regular expression.'),
  'aml/schema-required': warning(
    'required names a field that properties does not have',
    'Describe the field under properties, or correct its name.',
  ),
  'aml/schema-impossible': warning('No value fits the schema', 'Correct the limits.'),
  'aml/schema-default': warning('The default does not fit the schema', 'Correct the default.'),
  'aml/file-transfer': error('The transfer of a file is not known', 'Use transfer: inline or transfer: ref.'),
  'aml/file-field': error(
    'The fields of a file do not fit its transfer',
    'Use content with inline, url with ref, and type: object.',
  ),
} as const
