import { afterEach } from 'vitest'
import {
  createCrib,
  memoryStore,
  type Call,
  type CallOptions,
  type Crib,
  type CribOptions,
  type Surface,
} from 'toolcrib'
import { toolFileSource, type ToolFileSourceOptions } from '../../../src/tool-files.js'

export interface OpenedTools {
  readonly crib: Crib
  readonly surface: Surface
  readonly problems: readonly string[]
  /** Calls a tool of the folder "shop" by its id. */
  call(toolId: string, input?: unknown, options?: Partial<CallOptions>): Call
}

const opened: Crib[] = []

afterEach(async () => {
  for (const crib of opened.splice(0)) await crib.close({ graceMs: 100 })
})

/** A crib with the tool folder "shop", which allows every call unless the test says otherwise. */
export async function openTools(
  settings: Partial<ToolFileSourceOptions>,
  options: CribOptions = {},
): Promise<OpenedTools> {
  const problems: string[] = []
  const source = toolFileSource({
    name: 'shop',
    onProblem: (message) => void problems.push(message),
    ...settings,
  })
  const crib = await createCrib({
    store: memoryStore(),
    sources: [source],
    // Without waiting between attempts.
    retries: { max: 0, baseMs: 1 },
    ...(!options.permission && { decider: () => ({ behavior: 'allow' as const }) }),
    ...options,
  })
  opened.push(crib)
  const surface = await crib.surface()
  return {
    crib,
    surface,
    problems,
    call: (toolId, input = {}, more = {}) =>
      crib.call(surface, { name: `aml.shop.${toolId}`, input, ...more }),
  }
}
