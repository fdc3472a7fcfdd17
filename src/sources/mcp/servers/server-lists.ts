import type { ServerFacts } from '../connection/connection.js'
import { hasCapability } from './has-capability.js'
import { createListKeeper, type ListKeeper } from '../tools/list-keeper.js'
import { listPages, NOTHING_LISTED, type Listed } from '../tools/list-pages.js'
import type { ServerConnections } from './server-connections.js'

export interface ServerListsOptions {
  readonly timeoutMs: number
  facts(): ServerFacts | undefined
  /** Connects, where the server's capabilities are not known yet. */
  open(): Promise<unknown>
  readonly exchange: ServerConnections['exchange']
  now(): number
}

/** What a server offers beside tools. */
export interface ServerLists {
  readonly resources: ListKeeper
  readonly resourceTemplates: ListKeeper
  readonly prompts: ListKeeper
}

export function createServerLists({
  timeoutMs,
  facts,
  open,
  exchange,
  now,
}: ServerListsOptions): ServerLists {
  /** A server that is known to offer none is neither asked nor started for it. */
  async function listOf(member: string, method: string): Promise<Listed> {
    const capability = member === 'prompts' ? 'prompts' : 'resources'
    if (!facts()) await open()
    if (!hasCapability(facts()!, capability)) return NOTHING_LISTED
    const signal = AbortSignal.timeout(timeoutMs)
    return listPages(async (params) => (await exchange(method, params, { signal })).result, member)
  }

  return {
    resources: createListKeeper(() => listOf('resources', 'resources/list'), now),
    resourceTemplates: createListKeeper(() => listOf('resourceTemplates', 'resources/templates/list'), now),
    prompts: createListKeeper(() => listOf('prompts', 'prompts/list'), now),
  }
}
