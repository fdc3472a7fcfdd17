import type { Document, YAMLError } from 'yaml'

export type Yaml = typeof import('yaml')

/** Where a mistake starts. For an open quote the parser points to the end of the file; the quote is where the mistake is. */
export function yamlErrorStart(error: YAMLError, document: Document, yaml: Yaml): number {
  let start = error.pos[0]
  if (error.code !== 'MISSING_CHAR' || !error.message.includes('quote')) return start
  yaml.visit(document, {
    Scalar(_, scalar) {
      if (scalar.type?.startsWith('QUOTE') && scalar.range && scalar.range[0] < error.pos[0])
        start = scalar.range[0]
    },
  })
  return start
}
