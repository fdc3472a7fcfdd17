import { createJournal } from '../../../storage/journal/journal.js'
import { hasRecord } from '../../../storage/has-record.js'
import { openStore } from '../../../storage/open-store.js'
import { configuredStore } from '../../../host/stores/configured-store.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import { entryOfTool } from '../../../host/sources/entry-of-tool.js'
import { sourceStorage } from '../../../crib/catalog/source-storage.js'
import { safeToolName } from '../../../sources/mcp/tools/safe-name.js'
import type { SourceStorage } from '../../../sources/source.js'
import type { GivenOptions } from '../program/command.js'
import { usageProblem } from '../program/usage-problem.js'

/** What the record keeps of servers: what they listed last, and what of it was accepted. Nothing where there is no record. */
export async function withKeptTools<Seen>(
  settings: CribSettings,
  { store: given }: GivenOptions,
  use: (storage: SourceStorage) => Promise<Seen>,
): Promise<Seen | undefined> {
  const store = openStore(configuredStore(settings, given))
  if (!hasRecord(store)) return undefined
  const journal = createJournal({ store })
  try {
    await store.open()
    return await use(
      sourceStorage(journal, { tenant: settings.config.tenant ?? 'default', now: () => store.now() }),
    )
  } finally {
    await journal.durable()
    await store.close()
  }
}

/** The server, and its tool where one was named. */
export function namedOrStop(settings: CribSettings, name: string): { server: string; tool?: string } {
  const found = entryOfTool(settings, name)
  const servers = Object.keys(settings.config.mcpServers ?? {})
  if (found && servers.includes(found.entry)) {
    const { entry: server, tool } = found
    return { server, ...(tool !== undefined && { tool }) }
  }
  throw usageProblem(
    servers.length === 0
      ? 'The config names no MCP servers, so that there is nothing of theirs that could have changed.'
      : `"${name}" is neither a server nor a tool of one; say ${servers[0]} or mcp.${servers[0]}.<tool>.`,
  )
}

/** Whether a tool is the one that was meant, by its own name or by the one that was made of it. */
export function isNamed(tool: string, name: string | undefined): boolean {
  return name === undefined || tool === name || safeToolName(tool) === name
}
