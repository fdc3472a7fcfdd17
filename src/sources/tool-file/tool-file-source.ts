import { resolve } from 'node:path'
import type { SetupProblem, ToolDraft } from '../../catalog/tool-draft.js'
import { errorMessage } from '../../platform/text/error-message.js'
import { createLiveSecrets, type LiveSecrets } from '../../redaction/live-secrets.js'
import { createListChanges } from '../changes/list-changes.js'
import { changeSentence, howToAccept } from '../changes/tool-changed.js'
import type { Source, SourceStorage } from '../source.js'
import { sourceNamespace } from '../source-namespace.js'
import { toAgentSurfaces } from './agents/to-surface.js'
import { compareTools, STATE_KIND, type DifferingTool } from './changes/accepted-tools.js'
import { checkToolSettings } from './check-tool-settings.js'
import type { CompiledFolder } from './compiled.js'
import { followFolder } from './follow-folder.js'
import type { ToolFolderSettings } from './folder-settings.js'
import { createFolderLoader } from './load-folder.js'
import { createFolderTools, type FolderTools } from './tools/folder-tools.js'
import type { CodeById } from './tools/registered-code.js'

export interface ToolFileSourceOptions extends Omit<ToolFolderSettings, 'code' | 'disabled'> {
  /** The name of the folder: its tools are `aml.<name>.<tool_id>`. */
  readonly name: string
  /** The code of function tools: a module, or functions by tool id. */
  readonly code?: string | CodeById | undefined
  /** The base of relative paths; the working folder by default. */
  readonly base?: string | undefined
  /** What files compiled to is kept here. Absent: all files are compiled at each start. */
  readonly cacheFolder?: string | undefined
  readonly env?: NodeJS.ProcessEnv | undefined
  /** Secrets in use are added here, so that they are masked everywhere. */
  readonly secrets?: LiveSecrets | undefined
  /** A clause that says why the module of the code must not be run now; undefined while it may. */
  whyUntrusted?(): string | undefined
  /** Receives problems that no caller waits for. */
  onProblem?(message: string): void
}

const NO_AGENTS: ReturnType<NonNullable<Source['surfaces']>> = new Map()

/**
 * The tool files of a folder as tools. A file with errors is left out and reported, also where an earlier version of it
 * was in use: its author has changed it, so that the old text is no longer what they want to run.
 */
export function toolFileSource(options: ToolFileSourceOptions): Source {
  const { name, base = process.cwd(), cacheFolder, env = process.env, onProblem = () => {} } = options
  const folder = resolve(base, options.folder ?? '.')
  const ending = new AbortController()
  const changes = createListChanges({ stateKind: STATE_KIND, load: refreshOnce })
  const loader = createFolderLoader({ folder, cacheFolder })
  const tools: FolderTools = createFolderTools({
    entry: name,
    settings: options,
    code: options.code,
    ...(options.whyUntrusted && { whyUntrusted: options.whyUntrusted }),
    folder: base,
    env,
    live: options.secrets ?? createLiveSecrets(),
    hidesOwnSecrets: options.secrets === undefined,
    onProblem,
    recordLate: async (invocationId, late) => storage?.recordLate?.(invocationId, late) ?? 'unknown',
  })
  const reported = new Set<string>()
  let storage: SourceStorage | undefined
  let compiled: CompiledFolder | undefined
  /** What the last list was made of. */
  let listed: CompiledFolder | undefined

  /** Never rejects. */
  async function refreshOnce(): Promise<void> {
    try {
      const next = await loader.load()
      const isSame = next === compiled
      compiled = next
      if (!isSame && !ending.signal.aborted) changes.report()
    } catch (error) {
      if (!ending.signal.aborted)
        onProblem(`The tool folder "${name}" cannot be read: ${errorMessage(error)}.`)
    }
  }

  /** Each problem once: lists are made again and again. A problem that is gone is reported again when it comes back. */
  function report(problems: readonly string[]): void {
    for (const problem of problems) if (!reported.has(problem)) onProblem(problem)
    reported.clear()
    for (const problem of problems) reported.add(problem)
  }

  function problemsOf(found: CompiledFolder): string[] {
    return [
      ...leftOut(found, name),
      ...checkToolSettings(found, { entry: name, settings: options.tools ?? {} }),
    ]
  }

  async function listTools(): Promise<readonly ToolDraft[]> {
    compiled ??= await loader.load()
    const found = compiled
    const missing = found.problems.find(({ code }) => code === 'aml/missing-folder')
    if (missing)
      throw new Error(`The tool folder "${name}" is not there: ${folder}. Create it or correct its path.`)
    const blocked = await blockedTools(found)
    // The tools of the first list carry their problems; later problems are only in the log.
    const differences = listed ? [...blocked].map(([id, { message }]) => `"${idOf(id)}": ${message}`) : []
    report([...problemsOf(found), ...differences])
    listed = found
    return tools.drafts(found.tools, blocked)
  }

  const idOf = (toolId: string): string => `${sourceNamespace('aml', name)}.${toolId}`

  /** Tools that a person has to accept first. */
  async function blockedTools(found: CompiledFolder): Promise<ReadonlyMap<string, SetupProblem>> {
    if (!storage) return new Map()
    const differing = await compareTools(storage, { entry: name, tools: found.tools })
    changes.watchAccepting(storage, differing.size > 0)
    return new Map(
      [...differing].map(([toolId, different]): [string, SetupProblem] => [
        toolId,
        { code: 'toolcrib.tool_changed', message: whyBlocked(different, idOf(toolId)) },
      ]),
    )
  }

  const follow = followFolder({ folder, signal: ending.signal, onChange: changes.refresh })

  return {
    name: `toolFiles:${name}`,
    entry: name,
    async open(opened) {
      storage = opened
    },
    async list() {
      try {
        return await listTools()
      } finally {
        // Also after a failure: the folder may be corrected.
        follow()
      }
    },
    surfaces: () =>
      listed ? toAgentSurfaces(listed, { namespace: sourceNamespace('aml', name) }) : NO_AGENTS,
    problems: () => (compiled ? problemsOf(compiled) : []),
    watch: changes.watch,
    async close() {
      ending.abort()
      await changes.close()
      await tools.close()
    },
  }
}

function whyBlocked({ isNew, diff }: DifferingTool, toolId: string): string {
  return isNew
    ? `This tool is new, and goes to another service or with another secret than those that were accepted; ${howToAccept(toolId)}`
    : changeSentence({ noun: 'tool file', changed: diff.changed, toolId })
}

/** The errors of files, as sentences. Warnings are for the authors of the files, who compile them. */
function leftOut({ problems }: CompiledFolder, entry: string): string[] {
  return (
    problems
      // Agents are reported with their surfaces.
      .filter(({ level, file }) => level === 'error' && !file.startsWith('agents/'))
      .map(
        ({ file, line, column, message, code }) =>
          `The tool folder "${entry}" ${file === '.' ? 'has no tools' : `leaves out ${file}:${line}:${column}`}: ${message} (${code})`,
      )
  )
}
