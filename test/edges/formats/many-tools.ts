import { defineTool, type ToolDraft } from 'toolcrib'

export const weather = defineTool({
  namespace: 'city',
  name: 'weather',
  title: 'Weather',
  description: 'Tells the weather of a city.',
  isReadOnly: true,
  isOpenWorld: false,
  isIdempotent: true,
  input: {
    jsonSchema: {
      type: 'object',
      properties: { city: { type: 'string', description: 'Its name.' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
  output: {
    jsonSchema: { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] },
  },
  execute: () => ({ degrees: 21 }),
})

/** Tools that are found rather than listed. */
export function deferredTools(count: number): ToolDraft[] {
  return Array.from({ length: count }, (_, index) =>
    defineTool({
      namespace: 'shop',
      name: `order_${index}`,
      description: `Orders thing number ${index} from the shop.`,
      shouldDefer: true,
      isReadOnly: true,
      isOpenWorld: false,
      input: { jsonSchema: { type: 'object', properties: { amount: { type: 'integer' } } } },
      execute: () => `ordered ${index}`,
    }),
  )
}
