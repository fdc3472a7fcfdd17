import type { AnsweredByPerson } from '../../../catalog/answered-by.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import type { SetupProblem, ToolDraft } from '../../../catalog/tool-draft.js'
import { isToolOutput, toolOutput, type ToolOutput } from '../../../catalog/tool-output.js'
import { remember } from '../../../platform/json/remember.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { checkForeign } from '../../../platform/validation/check-foreign.js'
import type { LiveSecrets } from '../../../redaction/live-secrets.js'
import { toolChanged } from '../../changes/tool-changed.js'
import type { CompiledTool } from '../compiled.js'
import type { ToolFolderSettings } from '../folder-settings.js'
import type { OpenedTransport, Transport, TransportEnvironment } from '../transports/transport.js'
import { transports as allTransports, type Transports, type TransportType } from '../transports/transports.js'
import { explainFailure } from './explain-failure.js'
import { checkFiles, showFiles } from './file-fields.js'
import { fromDraft07 } from './from-draft-07.js'
import { createRegisteredCodes, type CodeById } from './registered-code.js'
import { cacheKey, createResultCache } from './result-cache.js'
import { mappingOf, toDraft } from './to-draft.js'
import { sourceNamespace } from '../../source-namespace.js'

export interface FolderToolsOptions {
  /** The name of the folder in the config: its tools are `aml.<entry>.<tool_id>`. */
  readonly entry: string
  readonly settings: Pick<ToolFolderSettings, 'drafts' | 'tools'>
  readonly code?: string | CodeById | undefined
  /** A clause that says why the module of the code must not be run now. */
  whyUntrusted?(): string | undefined
  /** The base of a relative path of the code. */
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly live: LiveSecrets
  /** Whether nobody else masks the secrets in `live`: each call then masks them for itself. */
  readonly hidesOwnSecrets: boolean
  readonly transports?: Transports | undefined
  now?(): number
  onProblem(message: string): void
  /** Absent: answers that come after their calls have ended are not recorded. */
  readonly recordLate?: TransportEnvironment['recordLate']
}

/** Makes the tools of a folder. Connections are shared by all of them. */
export interface FolderTools {
  /** `blocked`: tools that a person has to accept first, with the sentence that says so. */
  drafts(tools: readonly CompiledTool[], blocked?: ReadonlyMap<string, SetupProblem>): Promise<ToolDraft[]>
  /** Ends all connections. */
  close(): Promise<void>
}

export function createFolderTools(options: FolderToolsOptions): FolderTools {
  const { entry, settings, env, live, onProblem, now = Date.now, transports = allTransports } = options
  const namespace = sourceNamespace('aml', entry)
  const codes = createRegisteredCodes({ ...options, code: options.code })
  const { recordLate } = options
  const environment: TransportEnvironment = {
    entry,
    env,
    live,
    codeFor: codes.find,
    now,
    onProblem,
    ...(recordLate && { recordLate }),
  }
  const opened = new Map<TransportType, Promise<Transport>>()
  const cache = createResultCache(now)
  /** Of the last list: an unchanged tool stays the same draft. */
  let known = new Map<
    string,
    { readonly tool: CompiledTool; readonly blocked: unknown; readonly draft: ToolDraft }
  >()

  async function openTool(tool: CompiledTool): Promise<OpenedTransport> {
    const own = ownVariable(tool)
    if (own !== undefined)
      return unusable(`The tool file names the variable ${own}, which no tool may have; name another one.`)
    if (tool.type !== 'human') return openTransport(tool)
    const { openHuman } = await import('../human/open-human.js')
    return openHuman(tool, { environment, openTransport: () => openTransport(tool) })
  }

  async function openTransport(tool: CompiledTool): Promise<OpenedTransport> {
    const type = tool.transport?.type
    if (type === undefined) return codeTransport(tool)
    const load = transports[type]
    if (!load) return unusable(`The transport ${type} cannot be called by this version.`)
    let transport = opened.get(type)
    if (!transport) opened.set(type, (transport = load().then((open) => open(environment))))
    try {
      return (await transport).open(tool as Parameters<Transport['open']>[0])
    } catch (error) {
      // One tool must not take the others of its folder with it.
      return unusable(`The transport of the tool file cannot be used: ${errorMessage(error)}.`)
    }
  }

  /** Code runs in this process. */
  async function codeTransport({ toolId }: CompiledTool): Promise<OpenedTransport> {
    const code = await codes.find(toolId)
    const message = code ? '' : await codes.whyMissing(toolId)
    return {
      execution: 'embedded_runtime',
      hosts: [],
      ...(!code && { missing: () => ({ message, code: 'toolcrib.setup_required' }) }),
      async call(input, context) {
        const run = code as unknown as (input: unknown, context: ExecuteContext) => unknown
        const output = await run(input, context)
        return isToolOutput(output) ? output : toolOutput({ structured: output })
      },
    }
  }

  async function toTool(tool: CompiledTool, blocked: SetupProblem | undefined): Promise<ToolDraft> {
    const transport = await openTool(tool)
    const setupProblem = blocked ? () => blocked : transport.missing
    const person = personSettings(tool, { settings, transport, setupProblem })
    return toDraft(tool, {
      ...(person && { person }),
      entry,
      namespace,
      drafts: settings.drafts === true,
      opened: transport,
      setupProblem,
      validateValues(input) {
        const why = checkFiles(tool, input) ?? transport.check?.(input)
        return why === undefined ? undefined : { errorClass: 'invalid_arguments', message: why }
      },
      async call(input, context) {
        if (blocked) throw toolChanged(blocked.message)
        const problem = transport.missing?.()
        if (problem) throw notSetUp(problem)
        try {
          return await callTool(tool, { transport, input, context })
        } catch (error) {
          throw explainFailure(withNative(error, tool), tool)
        } finally {
          // Now: a credential may have been loaded for this call.
          if (options.hidesOwnSecrets) for (const secret of live.list) context.hide(secret)
        }
      },
    })
  }

  async function callTool(tool: CompiledTool, { transport, input, context }: ToolCall): Promise<ToolOutput> {
    const cacheMs = tool.type === 'retrieval' ? settings.tools?.[tool.toolId]?.cacheMs : undefined
    const key = cacheMs === undefined ? undefined : cacheKey(tool, context.tenant, input)
    const found = key === undefined ? undefined : cache.find(key)
    if (found) return found
    const output = await transport.call(input, context)
    const shown = showFiles({ ...output, native: nativeOf(output.native, tool) }, tool)
    // An answer that does not fit is a failed call, which may succeed the next time.
    if (key !== undefined && (await outputCheck(tool)(shown.structured)).ok) cache.keep(key, shown, cacheMs!)
    return toolOutput(shown)
  }

  return {
    async drafts(tools, blocked = new Map()) {
      const next = await Promise.all(
        tools.map(async (tool) => {
          const why = blocked.get(tool.toolId)
          const before = known.get(tool.toolId)
          const isSame = before?.tool === tool && before.blocked === why?.message
          return isSame ? before : { tool, blocked: why?.message, draft: await toTool(tool, why) }
        }),
      )
      known = new Map(next.map((each) => [each.tool.toolId, each]))
      return next.map(({ draft }) => draft)
    },
    async close() {
      const closing = [...opened.values()].map(async (transport) => (await transport).close())
      const ended = await Promise.allSettled(closing)
      for (const each of ended)
        if (each.status === 'rejected')
          onProblem(
            `A connection of the tool folder "${entry}" could not be closed: ${errorMessage(each.reason)}.`,
          )
    },
  }
}

const outputCheck = remember((tool: CompiledTool) =>
  checkForeign(fromDraft07(tool.output), { fallback: (value) => ({ ok: true, value }) }),
)

interface ToolCall {
  readonly transport: OpenedTransport
  readonly input: Readonly<Record<string, unknown>>
  readonly context: ExecuteContext
}

/** Who answers a human tool, and how the question goes out. A tool that cannot be called announces nothing and listens to nobody. */
function personSettings(
  { type, toolId }: CompiledTool,
  {
    settings,
    transport: { person },
    setupProblem,
  }: {
    settings: FolderToolsOptions['settings']
    transport: OpenedTransport
    setupProblem: (() => SetupProblem | undefined) | undefined
  },
): AnsweredByPerson | undefined {
  if (type !== 'human') return undefined
  const { queue, reviewers, expiresMs, remindMs } = settings.tools?.[toolId] ?? {}
  const { announce, answers } = person ?? {}
  const mustBeSetUp = (): void => {
    const problem = setupProblem?.()
    if (problem) throw notSetUp(problem)
  }
  return {
    queue,
    reviewers,
    expiresMs,
    remindMs,
    ...(announce && {
      async announce(question, context) {
        mustBeSetUp()
        await announce(question, context)
      },
    }),
    ...(answers && {
      answers: {
        name: answers.name,
        async listen(take, signal) {
          mustBeSetUp()
          await answers.listen(take, signal)
        },
      },
    }),
  }
}

/** The keys of Toolcrib itself are out of every tool's reach. */
function ownVariable({ transport }: CompiledTool): string | undefined {
  const { settings } = transport?.credentials ?? {}
  if (settings?.kind !== 'secret' || settings.secret.source !== 'env') return undefined
  const { name } = settings.secret
  return /^TOOLCRIB_/i.test(name) ? name : undefined
}

function unusable(message: string): OpenedTransport {
  const problem: SetupProblem = { message, code: 'toolcrib.setup_required' }
  return {
    execution: 'native_app',
    hosts: [],
    missing: () => problem,
    call: () => Promise.reject(notSetUp(problem)),
  }
}

/** The class has the name of its code. */
function notSetUp({ message, code = 'toolcrib.setup_required' }: SetupProblem): Error {
  const errorClass = code === 'toolcrib.credential_missing' ? 'credential_missing' : 'setup_required'
  return Object.assign(new Error(message), { errorClass, code, nothingHappened: true })
}

/** The ids of the tool, beside those of its transport. */
function nativeOf(native: object | undefined, tool: CompiledTool): NonNullable<ToolOutput['native']> {
  return { ...native, ...mappingOf(tool) }
}

function withNative(error: unknown, tool: CompiledTool): unknown {
  if (!(error instanceof Error) || !('errorClass' in error)) return error
  const { native } = error as { native?: object }
  return Object.assign(error, { native: nativeOf(native, tool) })
}
