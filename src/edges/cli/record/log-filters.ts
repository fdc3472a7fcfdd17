import { nearestWord } from '../../../platform/config/nearest-word.js'
import type { ToolInvocation } from '../../../contract/objects/tool-invocation.js'
import type { InvocationStatus } from '../../../contract/unions.js'
import { loadTools } from '../../../host/load-settings.js'
import type { GivenOptions } from '../program/command.js'
import { isOfClient } from './caller-text.js'
import { parseSince } from './parse-since.js'
import { usageProblem } from '../program/usage-problem.js'
import { statusesOf, statusNames } from '../terminal/status-words.js'

export interface LogFilters {
  tool?: string
  status?: readonly InvocationStatus[]
  actor?: string
  session?: string
  client?: string
  since?: number
  limit: number
}

export async function readLogFilters(options: GivenOptions, nowMs: number): Promise<LogFilters> {
  const { tool, status, actor, session, client, since, limit } = options as Record<string, string | undefined>
  return {
    limit: readLimit(limit),
    ...(tool !== undefined && { tool: await toolIdOf(tool, options) }),
    ...(status !== undefined && { status: status.split(',').flatMap(readStatus) }),
    ...(actor !== undefined && { actor }),
    ...(session !== undefined && { session }),
    ...(client !== undefined && { client }),
    ...(since !== undefined && { since: readSince(since, nowMs) }),
  }
}

/**
 * Filters calls that arrive while the log is followed. The store filters the others by the same fields, except the
 * client.
 */
export function matchesFilters(invocation: ToolInvocation, filters: LogFilters): boolean {
  return (
    (filters.tool === undefined || invocation.tool_id === filters.tool) &&
    (filters.status === undefined || filters.status.includes(invocation.status)) &&
    (filters.actor === undefined || invocation.actor_ref === filters.actor) &&
    (filters.session === undefined || invocation.toolcrib?.['session'] === filters.session) &&
    (filters.client === undefined || isOfClient(invocation, filters.client))
  )
}

/** Any name of an existing tool; a tool that is gone, or cannot be loaded, is known by its id only. */
export async function toolIdOf(name: string, { config }: GivenOptions): Promise<string> {
  const loaded = await loadTools({ configPath: config })
  const resolved = loaded.ok ? loaded.catalog.resolve(name) : undefined
  return resolved && 'found' in resolved ? resolved.found.toolId : name
}

function readStatus(given: string): InvocationStatus[] {
  const word = given.trim()
  const statuses = statusesOf(word)
  if (statuses.length > 0) return statuses
  const names = statusNames()
  const near = nearestWord(word, names)
  throw usageProblem(
    `"${word}" is no status; ${near ? `did you mean "${near}"?` : `there are ${names.join(', ')}.`}`,
  )
}

export function readSince(given: string, nowMs: number): number {
  const since = parseSince(given, nowMs)
  if (since !== undefined) return since
  throw usageProblem(`"${given}" is no time; write 30s, 10m, 2h, 7d, or a date like 2026-07-30T12:00Z.`)
}

function readLimit(given: string | undefined): number {
  const limit = Number(given)
  if (Number.isInteger(limit) && limit >= 1) return limit
  throw usageProblem(`--limit must be a whole number of at least 1, not "${given}".`)
}
