import { setMaxListeners } from 'node:events'
import { storeError } from '../storage/store-error.js'

/** One part of a crib. */
export interface CribModule<Port extends object = object, Api extends object = object> {
  /** What the modules after it get. */
  readonly port?: Port
  /** What it adds to the API of the crib. */
  readonly api?: Api
  /** Called in the order of the list, when all modules are open. */
  start?(): unknown
  /** Called in the opposite order, also where a later module could not be opened. */
  stop?(options: StopOptions): unknown
}

export interface StopOptions {
  /** How long running calls may take before they are canceled. */
  readonly graceMs: number
}

/** What every module gets, besides the ports of the modules before it. */
export interface ClosingPort {
  /** Aborted when the crib starts to close. */
  readonly closing: AbortSignal
  /** Whether it has. Every call asks, and reading a signal of Node took a hundredth of a call. */
  isClosing(): boolean
  /** Throws where the crib is closing or closed. */
  checkOpen(): void
}

type Opening<Ports, Port extends object, Api extends object> = (
  ports: Ports,
) => CribModule<Port, Api> | Promise<CribModule<Port, Api>>

/** A list of modules: each is added with a function that opens it and may use the ports of those before it. */
export interface Assembly<Ports extends object, Api extends object> {
  add<Port extends object, More extends object>(
    open: Opening<Ports, Port, More>,
  ): Assembly<Ports & Port, Api & More>
  open(): Promise<{ api: Api; close(options: StopOptions): Promise<void> }>
}

const CLOSED = 'The crib is closed; open a new one with createCrib.'

/** Opens and starts modules in their order, and closes them in the opposite order. */
export function assemble<First extends object>(first: First): Assembly<First & ClosingPort, object> {
  const list: Opening<object, object, object>[] = []
  const assembly: Assembly<object, object> = {
    add(open) {
      list.push(open as Opening<object, object, object>)
      return assembly as never
    },
    open: () => openAll(first, list),
  }
  return assembly as Assembly<First & ClosingPort, object>
}

async function openAll(
  first: object,
  list: readonly Opening<object, object, object>[],
): Promise<{ api: object; close(options: StopOptions): Promise<void> }> {
  const closing = new AbortController()
  // Every running call, reader and batch listens to it: that many listeners are no leak.
  setMaxListeners(0, closing.signal)
  const opened: CribModule[] = []
  let closed: Promise<void> | undefined
  let isClosing = false
  const close = (options: StopOptions): Promise<void> => {
    isClosing = true
    closing.abort()
    return (closed ??= stopAll(opened, options))
  }
  const checkOpen = (): void => {
    if (isClosing) throw storeError('toolcrib.store_closed', CLOSED)
  }
  const ports = { ...first, closing: closing.signal, isClosing: () => isClosing, checkOpen }
  try {
    for (const open of list) {
      const module = await open(ports)
      opened.push(module)
      Object.assign(ports, module.port)
    }
    for (const module of opened) await module.start?.()
  } catch (error) {
    await close({ graceMs: 0 })
    throw error
  }
  return { api: Object.assign({}, ...opened.map(({ api }) => api)), close }
}

/** Every module is stopped, also where one before it failed; the first failure is thrown at the end. */
async function stopAll(opened: readonly CribModule[], options: StopOptions): Promise<void> {
  const problems: unknown[] = []
  for (const module of opened.toReversed()) {
    try {
      await module.stop?.(options)
    } catch (error) {
      problems.push(error)
    }
  }
  if (problems.length > 0) throw problems[0]
}
