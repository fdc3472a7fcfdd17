import { afterEach } from 'vitest'
import { createCrib, memoryStore, type Crib, type CribOptions, type Surface, type ToolResult } from 'toolcrib'
import { builtinSource, type BuiltinSettings } from '../../../../src/builtins.js'
import { temporaryFolder } from '../../../temporary-folder.js'

export interface OpenedFiles {
  readonly crib: Crib
  readonly surface: Surface
  call(name: string, input?: object): Promise<ToolResult>
}

const opened: Crib[] = []

afterEach(async () => {
  for (const crib of opened.splice(0)) await crib.close({ graceMs: 100 })
})

export interface FilesOptions extends CribOptions {
  readonly settings?: BuiltinSettings<'files'>
  readonly env?: NodeJS.ProcessEnv
}

/** A crib with the file tools in a folder. Every call that no rule is against runs. */
export async function openFiles(folder: string, options: FilesOptions = {}): Promise<OpenedFiles> {
  const { settings = {}, env = {}, permission, ...more } = options
  const source = builtinSource('files', settings, {
    folder,
    env: { PATH: process.env['PATH'], TOOLCRIB_HOME: temporaryFolder(), ...env },
  })
  const crib = await createCrib({
    store: memoryStore(),
    sources: [source],
    workspace: folder,
    permission: { mode: 'bypass', ...permission },
    ...more,
  })
  opened.push(crib)
  const surface = await crib.surface({ session: 'session-1' })
  return {
    crib,
    surface,
    call: async (name, input = {}) => crib.call(surface, { name: `local.files.${name}`, input }),
  }
}

/** What the model gets, as one text. */
export function textOf({ model_facing_content: content = [] }: ToolResult): string {
  return content.map(({ text }) => text ?? '').join('\n')
}

export const dataOf = ({ structured_content: data }: ToolResult): Record<string, unknown> =>
  data as Record<string, unknown>
