import { listSourceTools } from '../../../host/sources/list-source-tools.js'
import { loadCrib } from '../../../host/load-crib.js'
import type { LoadedTools } from '../../../host/load-settings.js'
import { createCatalog } from '../../../catalog/catalog.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import { printable } from '../../../platform/text/printable.js'
import type { Crib } from '../../../crib/crib.js'
import type { AskPerson } from '../approvals/approver-for.js'
import { textOption, type GivenOptions } from '../program/command.js'
import type { CommandCrib } from '../calls/command-crib.js'
import { loadDecidersOrStop } from '../program/load-or-stop.js'
import { openRecord } from '../record/open-record.js'
import type { Terminal } from '../terminal/terminal.js'
import { usageProblem } from '../program/usage-problem.js'
import { answerInStore } from './answer-in-store.js'
import type { GatewayLink } from './find-gateway.js'
import { linkToServers } from './link-to-servers.js'
import type { CommandMessage, CommandOrigin } from './messages.js'
import { followRemoteCalls, type RemoteCalls } from './remote-calls.js'

type Settings = Extract<LoadedTools, { ok: true }>

export interface GatewayCribRequest {
  /** The name of the command in the log of the gateway. */
  readonly command: string
  /** The servers whose tools may be called; absent: all. */
  readonly only?: readonly string[] | undefined
  readonly approver?: AskPerson | undefined
  /** Calls that need approval stay pending. */
  readonly isDetached?: boolean | undefined
}

/**
 * The crib of a running gateway, for calls of the tools of its servers. Undefined if there is none, if one of the
 * servers does not work there, or if the command brings rules of its own: then the command does the work itself.
 */
export async function openGatewayCrib(
  settings: Settings,
  options: GivenOptions,
  { terminal, ...request }: GatewayCribRequest & { terminal: Terminal },
): Promise<CommandCrib | undefined> {
  const { only, approver, isDetached = false } = request
  const found = await linkToServers(settings, options, only)
  if (!found) return undefined
  const { link, snapshots } = found
  const catalog = createCatalog()
  await listSourceTools(
    { ...settings, catalog },
    { waitMs: 0, store: options.store, only, running: async () => snapshots },
  )
  const hasReviewers = (settings.config.approvals?.reviewers ?? []).length > 0
  const place: CommandOrigin = {
    command: request.command,
    workspace: process.cwd(),
    session: textOption(options, 'session'),
    approvals: approver || isDetached || hasReviewers ? 'ask' : 'none',
  }
  let remote: RemoteCalls | undefined
  const start = async (message: CommandMessage): Promise<RemoteCalls> => {
    remote = await startRemote(link, message, (approval, signal) => {
      if (!approver) return
      const open = (by: string): Promise<Crib> => openToAnswers(settings, options, by)
      answerInStore(approval, { approver, terminal, signal, open }).catch((error: unknown) =>
        terminal.explain(printable(errorMessage(error))),
      )
    })
    return remote
  }
  return {
    tool: (name) => catalog.find(name),
    tools: () => catalog.list(),
    async story(id) {
      const record = await openRecord(options)
      if ('missing' in record) return undefined
      return record.crib.story(id).finally(() => record.crib.close())
    },
    async read(...given) {
      const record = await openRecord(options)
      if ('missing' in record) throw usageProblem(`Nothing was recorded yet in ${record.missing}.`)
      return record.crib.read(...given).finally(() => record.crib.close())
    },
    async close() {
      if (isDetached && remote && !remote.isOver) link.send({ kind: 'detach' })
      link.close()
    },
    async startCall(call) {
      const { calls } = await start({ kind: 'call', place, call })
      return { call: calls[0]! }
    },
    async startBatch(calls, policy) {
      const { batch } = await start({ kind: 'batch', place, calls, policy })
      return { batch }
    },
  }
}

async function startRemote(
  link: GatewayLink,
  message: CommandMessage,
  onPending: Parameters<typeof followRemoteCalls>[0]['onPending'],
): Promise<RemoteCalls> {
  link.send(message)
  const started = await link.next()
  if (started?.kind === 'started') return followRemoteCalls({ link, started, onPending })
  throw usageProblem(
    started?.kind === 'failed' ? printable(started.message) : 'The gateway has ended; try again.',
  )
}

/** This process writes answers into the record, because it may answer: no message of the socket approves anything. */
export async function openToAnswers(settings: Settings, options: GivenOptions, by: string): Promise<Crib> {
  return loadCrib({
    settings,
    outside: await loadDecidersOrStop(settings),
    store: options.store,
    more: {
      reviewers: [...(settings.config.approvals?.reviewers ?? []), by],
      approvals: { claim: false },
    },
  })
}
