// A tool that people answer, for the tests of the command line.
import { definePersonTool } from 'toolcrib'

export const review = definePersonTool({
  namespace: 'desk',
  name: 'review',
  title: 'Refund review',
  description: 'Asks whether an order is refunded.',
  queue: 'refunds',
  input: { jsonSchema: { type: 'object', properties: { order: { type: 'string' } } } },
  output: {
    jsonSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', enum: ['refund', 'refuse'], description: 'What is done.' },
        amount: { type: 'number', minimum: 1 },
        notify: { type: 'boolean' },
        lines: { type: 'array', items: { type: 'string' } },
        note: { type: 'string' },
      },
      required: ['decision', 'amount'],
      additionalProperties: false,
    },
  },
})
