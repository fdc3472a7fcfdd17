import type { JsonSchema } from '../../../contract/json-schema.js'
import { canonicalJson } from '../../../platform/json/canonical-json.js'
import { isObject } from '../../../platform/json/is-object.js'
import { jsonMistakeAt } from '../../../platform/json/json-mistake-at.js'
import { parseJson } from '../../../platform/json/parse-json.js'
import type { AgentResult } from '../compile/compile-agent.js'
import type { ToolResult } from '../compile/compile-tool.js'
import type { Report } from '../read/report.js'

export const LOCK_FILE = 'toolcrib.lock'

/** The last published state of a folder. */
export interface LockFile {
  readonly lock_version: 1
  readonly tools: Readonly<Record<string, LockedTool>>
  /** The refs of each agent. */
  readonly agents: Readonly<Record<string, readonly string[]>>
}

export interface LockedTool {
  readonly version: string
  /** The `contentDigest` of the tool. */
  readonly digest: string
  readonly input: JsonSchema
  readonly output: JsonSchema
}

/** The published state of tools and agents. Drafts are not published. */
export function toLock(tools: readonly ToolResult[], agents: readonly AgentResult[]): LockFile {
  const published = tools.flatMap(({ tool, contentDigest }) =>
    tool && tool.status !== 'draft'
      ? [
          [
            tool.toolId,
            { version: tool.version, digest: contentDigest ?? '', input: tool.input, output: tool.output },
          ] as const,
        ]
      : [],
  )
  const refs = agents.flatMap(({ agent }) =>
    agent ? [[agent.agentId, agent.refs.map(({ ref }) => ref).toSorted()] as const] : [],
  )
  return { lock_version: 1, tools: Object.fromEntries(published), agents: Object.fromEntries(refs) }
}

/** Equal states give equal texts, with a line for each value, so that changes are easy to review. */
export function toLockText(lock: LockFile): string {
  return `${JSON.stringify(JSON.parse(canonicalJson(lock)), null, 2)}\n`
}

/** Parses a lock file; undefined where it cannot be read, and the report says why. */
export function parseLock(report: Report): LockFile | undefined {
  const { text } = report.source
  const value = parseJson(text)
  if (value === undefined) {
    const start = jsonMistakeAt(text)
    report.add(
      'aml/invalid-lock',
      { start, end: start },
      'This is not valid JSON; restore the file or write it again.',
    )
    return undefined
  }
  if (isLock(value)) return value
  report.add(
    'aml/invalid-lock',
    { start: 0, end: 0 },
    'This is no lock file of this version; restore it or write it again.',
  )
  return undefined
}

function isLock(value: unknown): value is LockFile {
  if (!isObject(value) || value['lock_version'] !== 1) return false
  const { tools, agents } = value
  return (
    isObject(tools) &&
    Object.values(tools).every(isLockedTool) &&
    isObject(agents) &&
    Object.values(agents).every((refs) => Array.isArray(refs) && refs.every((ref) => typeof ref === 'string'))
  )
}

function isLockedTool(value: unknown): value is LockedTool {
  return (
    isObject(value) &&
    typeof value['version'] === 'string' &&
    /^\d+\.\d+\.\d+/.test(value['version']) &&
    typeof value['digest'] === 'string' &&
    isObject(value['input']) &&
    isObject(value['output'])
  )
}
