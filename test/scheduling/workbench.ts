import { defineTool, toolOutput, type ToolDraft } from 'toolcrib'
import { createGate, type Gate } from '../scenarios/open-crib.js'

/** Tools that a test controls: each call waits at the gate that its input names. */
export interface Workbench {
  tools: ToolDraft[]
  /** What executors did, in order: `+name`, `-name`. */
  log: string[]
  gate(name: string): Gate<void>
  started(name: string): Promise<void>
}

interface Work {
  as: string
  keys?: string[]
  path?: string
  modifier?: Record<string, unknown>
  fails?: boolean
}

const input = { jsonSchema: { type: 'object', properties: { path: { type: 'string' } } } } as const
const quiet = { input, isOpenWorld: false } as const

/** `read`, `write` and others. A call with `as: 'a'` continues when the gate `a` is opened. */
export function createWorkbench(): Workbench {
  const log: string[] = []
  const gates = new Map<string, Gate<void>>()
  const starts = new Map<string, Gate<void>>()
  const get = (map: typeof gates, name: string): Gate<void> => {
    if (!map.has(name)) map.set(name, createGate())
    return map.get(name)!
  }

  const make = (name: string, more: object): ToolDraft =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      ...quiet,
      ...more,
      async execute(given, { signal }) {
        const { as, modifier, fails } = given as unknown as Work
        log.push(`+${as}`)
        get(starts, as).open()
        const aborted = new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
        try {
          await Promise.race([get(gates, as).promise, aborted])
        } finally {
          log.push(`-${as}`)
        }
        if (fails) throw new Error('as asked')
        return modifier ? toolOutput({ structured: as, contextModifier: modifier }) : as
      },
    })
  const keysOf = (access: 'read' | 'write') => (given: unknown) =>
    ((given as Work).keys ?? []).map((key) => ({ key, access }))

  return {
    log,
    gate: (name) => get(gates, name),
    started: (name) => get(starts, name).promise,
    tools: [
      make('read', { isReadOnly: true, isConcurrencySafe: true }),
      make('read_cancel', { isReadOnly: true, isConcurrencySafe: true, interruptBehavior: 'cancel' }),
      make('write', { isReadOnly: false }),
      make('file_write', { isReadOnly: false, paths: { path: 'write' }, locks: 'paths' }),
      make('locked', { isReadOnly: false, locks: keysOf('write') }),
      make('locked_read', { isReadOnly: true, locks: keysOf('read') }),
      make('narrow', { isReadOnly: true, isConcurrencySafe: true, maxParallel: 1 }),
      make('serial_modifier', {
        isReadOnly: true,
        isConcurrencySafe: true,
        contextModifierPolicy: 'allow_serial_only',
      }),
      make('deferring_modifier', {
        isReadOnly: true,
        isConcurrencySafe: true,
        contextModifierPolicy: 'defer_until_batch_complete',
      }),
      make('forbidden_modifier', { isReadOnly: true, isConcurrencySafe: true }),
    ],
  }
}

/** Waits until nothing more happens without an action of the test. */
export async function settle(): Promise<void> {
  for (let left = 10; left > 0; left--) await new Promise(setImmediate)
}
