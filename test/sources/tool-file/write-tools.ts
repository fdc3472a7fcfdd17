import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { stringify } from 'yaml'
import { temporaryFolder } from '../../temporary-folder.js'

type Matter = Readonly<Record<string, unknown>>

export const object = (properties: Matter = {}, required: readonly string[] = []): Matter => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
})

export const text = { type: 'string' }

/** The front matter of a tool that works; what is given replaces parts of it. */
export function toolMatter(toolId: string, given: Matter = {}): Matter {
  const { meta, guidance, ...rest } = given as { meta?: Matter; guidance?: Matter }
  return {
    spec_version: '1.2',
    tool_id: toolId,
    version: '1.0.0',
    status: 'active',
    meta: {
      name: `The tool ${toolId}`,
      description: 'Does what the test needs. It is for tests only.',
      owner: 'tests',
      tags: ['testing'],
      last_updated: '2026-01-01',
      ...meta,
    },
    type: 'retrieval',
    interface: { input: object({ text }), output: object({ text }) },
    use_guidance: {
      use_when: ['a test runs'],
      avoid_when: ['no test runs'],
      side_effects: 'None. Read-only.',
      ...guidance,
    },
    ...rest,
  }
}

/** The transport of a tool that calls an API. */
export const restTransport = (base_url: string, endpoint: string, more: Matter = {}): Matter => ({
  type: 'rest-api',
  base_url,
  endpoint,
  credentials: { scheme: 'none' },
  ...more,
})

export interface ToolFolder {
  readonly path: string
  /** Writes the file of a tool. */
  tool(toolId: string, given?: Matter): void
  write(file: string, content: string): void
  remove(file: string): void
}

/** A folder for tool files. */
export function toolFolder(path = temporaryFolder()): ToolFolder {
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), content)
  }
  return {
    path,
    write,
    tool: (toolId, given) =>
      write(`tools/${toolId}.tool.md`, `---\n${stringify(toolMatter(toolId, given))}---\n# Purpose\n`),
    remove: (file) => rmSync(join(path, file)),
  }
}
