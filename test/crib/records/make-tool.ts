import { defineTool, toolOutput } from 'toolcrib'

/** Makes a text that is 100 times as long as the given one, and an artifact. */
export const make = defineTool({
  name: 'make',
  description: 'Makes a long text, and a file.',
  isReadOnly: true,
  isOpenWorld: false,
  input: { jsonSchema: { type: 'object', properties: { text: { type: 'string' } } } },
  execute(input) {
    const { text } = input as { text?: string }
    return toolOutput({
      content: [{ type: 'text', text: `${text} `.repeat(100) }],
      artifacts: [{ name: 'file.txt', content: `the file of ${text}` }],
    })
  },
})
