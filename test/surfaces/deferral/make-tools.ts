import { defineTool, toWireTool, type Surface, type ToolDraft } from 'toolcrib'

const quiet = { isReadOnly: true, isOpenWorld: false } as const

/** A tool of about a hundred tokens. */
export function tool(name: string, more: object = {}): ToolDraft {
  return defineTool({
    name,
    description: `The tool ${name}. ${'It does one of the many things that somebody may want. '.repeat(5)}`,
    input: {
      jsonSchema: {
        type: 'object',
        properties: { text: { type: 'string', description: 'What it is about.' } },
      },
    },
    ...quiet,
    execute: () => name,
    ...more,
  })
}

export const tools = (...names: string[]): ToolDraft[] => names.map((name) => tool(name))

/** The list as it would be sent. */
export const sent = (surface: Surface): string[] =>
  surface.tools().map((each) => JSON.stringify(toWireTool(each)))

/** The loaded tools, without the discovery tool. */
export const idsOf = (surface: Surface): string[] =>
  surface.tools().flatMap(({ toolId }) => (toolId === 'tool.search' ? [] : [toolId]))

export const deferralIn = ({ record }: Surface): Record<string, unknown> =>
  record.toolcrib!['deferral'] as Record<string, unknown>
