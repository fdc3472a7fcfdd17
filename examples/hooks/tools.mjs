// Tools for the hooks of this folder to look at.
import { defineTool } from 'toolcrib'

const reading = { isReadOnly: true, isOpenWorld: false }
const object = (properties) => ({
  jsonSchema: { type: 'object', properties, required: Object.keys(properties) },
})

export const read = defineTool({
  namespace: 'files',
  name: 'read',
  description: 'Reads a file.',
  input: object({ path: { type: 'string' } }),
  ...reading,
  execute: ({ path }) => `(the text of ${path})`,
})

export const search = defineTool({
  namespace: 'docs',
  name: 'search',
  description: 'Searches the documentation.',
  input: object({ query: { type: 'string' }, limit: { type: 'number' } }),
  ...reading,
  execute: ({ query, limit }) => ({ query, limit, hits: [] }),
})

export const find = defineTool({
  namespace: 'people',
  name: 'find',
  description: 'Finds a customer.',
  input: object({ name: { type: 'string' } }),
  ...reading,
  execute: ({ name }) => ({ name, card: { number: '4111 1111 1111 1111', holder: name } }),
})
