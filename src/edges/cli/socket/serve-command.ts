import type { Socket } from 'node:net'
import type { Batch } from '../../../crib/batches/batch.js'
import type { Call } from '../../../crib/calls/call-handle.js'
import type { Crib } from '../../../crib/crib.js'
import { callRequestOf } from '../../../host/load-settings.js'
import type { CribSettings } from '../../../host/crib-settings.js'
import type { Surface } from '../../../crib/surfaces/surface.js'
import { errorMessage } from '../../../platform/text/error-message.js'
import type { McpServers } from '../../../sources/mcp/mcp-server.js'
import { snapshotOf } from '../../../sources/mcp/servers/server-snapshot.js'
import type { ToolResult } from '../../../contract/objects/tool-result.js'
import { beginInBackground } from '../calls/begin-in-background.js'
import type { GatewayEvent } from '../../mcp/gateway-events.js'
import { createMessageLink, type MessageLink } from './message-link.js'
import type { CommandMessage, CommandOrigin, GatewayMessage } from './messages.js'

/** The parts of a gateway that commands use. */
export interface SocketContext {
  readonly settings: CribSettings
  readonly servers: McpServers
  /** The crib that judges commands; made when it is first needed. */
  crib(): Promise<Crib>
  readonly actor: string
  /** Reports to the log of the gateway. */
  log(event: GatewayEvent): void
}

type Link = MessageLink<GatewayMessage, CommandMessage>

/** Serves one command from its first message until it disconnects. Its work ends with it, unless the work was detached. */
export async function serveCommand(
  socket: Socket,
  { context, digest }: { context: SocketContext; digest: string },
): Promise<void> {
  const link: Link = createMessageLink(socket)
  const first = await link.next()
  if (first?.kind !== 'initialize' || first.digest !== digest) {
    link.send({ kind: 'refused', why: 'This gateway has another config or version.' })
    return link.close()
  }
  link.send({ kind: 'initialized' })
  let work: Work | undefined
  for (;;) {
    const message = await link.next()
    if (!message) break
    try {
      work = (await take(message, { context, link, work })) ?? work
    } catch (error) {
      link.send({ kind: 'failed', message: errorMessage(error) })
    }
  }
  if (work && !work.isLeft) work.cancel()
}

interface Work {
  /** The call waits for approval, and continues without the command. */
  isLeft: boolean
  cancel(message?: Extract<CommandMessage, { kind: 'cancel' }>): void
  interrupt(): void
}

async function take(
  message: CommandMessage,
  { context, link, work }: { context: SocketContext; link: Link; work: Work | undefined },
): Promise<Work | undefined> {
  switch (message.kind) {
    case 'initialize':
      return undefined
    case 'look': {
      const { only, waitMs, withTexts } = message
      await context.servers.settled(waitMs)
      const wanted = context.servers.servers.filter(({ name }) => !only || only.includes(name))
      const servers = await Promise.all(wanted.map((server) => snapshotOf(server, { withTexts })))
      link.send({ kind: 'looked', servers })
      return undefined
    }
    case 'call':
      return startOne(message, { context, link })
    case 'background':
      return startAlone(message, { context, link })
    case 'batch':
      return startBatch(message, { context, link })
    case 'cancel':
      return void work?.cancel(message)
    case 'interrupt':
      return void work?.interrupt()
    case 'detach':
      if (work) work.isLeft = true
      return undefined
  }
}

interface Parts {
  readonly context: SocketContext
  readonly link: Link
}

async function surfaceFor(
  context: SocketContext,
  place: CommandOrigin,
): Promise<{ crib: Crib; surface: Surface }> {
  const crib = await context.crib()
  const { workspace, session, approvals } = place
  const surface = await crib.surface({
    ...callRequestOf(context.settings),
    ...(session !== undefined && { session }),
    ...(workspace !== process.cwd() && { workspace }),
    ...(approvals === 'none' && { approvals }),
  })
  return { crib, surface }
}

async function startOne(
  { place, call: asked }: Extract<CommandMessage, { kind: 'call' }>,
  { context, link }: Parts,
): Promise<Work> {
  const { crib, surface } = await surfaceFor(context, place)
  const { name, input } = asked
  const call = crib.call(surface, { name, input })
  link.send({ kind: 'started', invocationIds: [call.invocationId] })
  logCall(call, name, { context, place })
  void settle([follow(call, 0, link)], { link, context, surface })
  return {
    isLeft: false,
    cancel: (message) => call.cancel(message?.reason),
    interrupt: () => call.interrupt(),
  }
}

/** The call continues without the command, unless the command disconnects before it knows the id of the call. */
async function startAlone(
  { place, call: asked }: Extract<CommandMessage, { kind: 'background' }>,
  { context, link }: Parts,
): Promise<undefined> {
  const { crib, surface } = await surfaceFor(context, place)
  const { name, input } = asked
  let isGone = false
  void link.closed.then(() => (isGone = true))
  const call = crib.call(surface, { name, input, runInBackground: true })
  const { tenant } = surface.request
  const of = tenant === undefined ? {} : { tenant }
  const ended = crib.task(call.invocationId, of).result()
  ended.catch(() => {})
  logCall(call, name, { context, place, ended })
  const begun = await beginInBackground(crib, call, of)
  if (isGone) call.cancel('user_interruption')
  else link.send({ kind: 'begun', ...begun })
}

async function startBatch(
  { place, calls, policy }: Extract<CommandMessage, { kind: 'batch' }>,
  { context, link }: Parts,
): Promise<Work> {
  const { crib, surface } = await surfaceFor(context, place)
  const batch = crib.batch(surface, calls, policy)
  const invocationIds = batch.calls.map(({ invocationId }) => invocationId)
  link.send({ kind: 'started', batchId: batch.batchId, policy: batch.policy, invocationIds })
  batch.calls.forEach((call, index) => logCall(call, calls[index]!.name, { context, place }))
  const followed = batch.calls.map((call, index) => follow(call, index, link))
  void settle([...followed, followItems(batch, link)], { link, context, surface })
  return {
    isLeft: false,
    cancel(message) {
      if (message?.index === undefined) batch.cancel(message?.reason)
      else batch.calls[message.index]?.cancel(message.reason)
    },
    interrupt: () => batch.interrupt(),
  }
}

/** Sends all events of a call, its pending approvals and its result. */
async function follow(call: Call, index: number, link: Link): Promise<void> {
  let sent: string | undefined
  for await (const event of call) {
    link.send({ kind: 'event', index, event })
    if (event.event_type !== 'tool.permission.requested') continue
    void call.pending().then(
      (approval) => {
        if (!approval || approval.approval_id === sent) return
        sent = approval.approval_id
        link.send({ kind: 'pending', index, approval })
      },
      () => {},
    )
  }
  link.send({ kind: 'result', index, result: await call })
}

async function followItems(batch: Batch, link: Link): Promise<void> {
  for await (const item of batch) link.send({ kind: 'item', item })
}

async function settle(
  work: readonly Promise<void>[],
  { link, context, surface }: { link: Link; context: SocketContext; surface: Surface },
): Promise<void> {
  try {
    await Promise.all(work)
    link.send({ kind: 'done' })
  } catch (error) {
    link.send({ kind: 'failed', message: errorMessage(error) })
  }
  // Closes a connection that only this command used, as when a client leaves.
  const { session } = surface.request
  if (session !== undefined)
    await Promise.allSettled(context.servers.servers.map((server) => server.leave(session)))
}

function logCall(
  call: Call,
  tool: string,
  {
    context,
    place,
    ended = call,
  }: { context: SocketContext; place: CommandOrigin; ended?: Promise<ToolResult> },
): void {
  context.log({
    kind: 'call',
    call: {
      client: { name: `toolcrib ${place.command}`, actor: context.actor },
      tool,
      invocationId: call.invocationId,
      pending: () => call.pending(),
      result: ended,
    },
  })
}
