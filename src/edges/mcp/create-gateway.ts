import { createSession } from './create-session.js'
import { createFirstLists } from './resources/first-lists.js'
import type { Gateway, GatewaySession } from './gateway.js'
import type { GatewayOptions } from './gateway-options.js'
import { createHeldWorks } from './calls/pending-work.js'
import { invalidParams } from './invalid-params.js'
import type { GatewayContext, Connection } from './connection.js'
import { createSharedLogLevel } from './shared-log-level.js'
import { createTaskStore } from './tasks/tasks.js'
import { createWaitingCalls } from './calls/waiting-calls.js'

const LIST_WAIT_MS = 20_000

/** The protocol's side of the counter: everything that a client may ask for, whatever the transport. */
export function createGateway(options: GatewayOptions): Gateway {
  const { crib, servers, surfaces, now = Date.now, listWaitMs = LIST_WAIT_MS, onWaiting } = options
  const { approvalsCommand = 'toolcrib approvals' } = options
  const sessions = new Set<GatewaySession>()
  const connections = new Set<Connection>()
  const gateway: GatewayContext = {
    crib,
    servers,
    held: createHeldWorks(now),
    waiting: createWaitingCalls({ crib, now, approvalsCommand, onWaiting }),
    approvalsCommand,
    tasks: createTaskStore({ crib, now }),
    logLevels: createSharedLogLevel(servers),
    now,
    emit: quietly(options.onEvent),
    personBehind: (caller) => options.personBehind?.(caller),
    isAlone: ({ caller: { actor, tenant } }) =>
      [...connections].every(({ caller }) => caller.actor === actor && caller.tenant === tenant),
    firstLists: createFirstLists({ crib, servers, waitMs: listWaitMs, slow: options.slowServers }),
  }

  return {
    async open(caller, { era, sessionId }) {
      const name = caller.surface ?? 'default'
      const settings = Object.hasOwn(surfaces, name) ? surfaces[name] : undefined
      if (!settings) throw invalidParams(`There is no surface "${name}".`)
      const session: GatewaySession = await createSession(gateway, {
        caller,
        options,
        settings,
        name,
        era,
        sessionId,
        onOpen: (connection) => connections.add(connection),
        onClose(connection) {
          if (connection) connections.delete(connection)
          sessions.delete(session)
        },
      })
      sessions.add(session)
      return session
    },
    async close() {
      gateway.firstLists.close()
      gateway.held.close()
      gateway.waiting.close()
      gateway.tasks.close()
      await Promise.all([...sessions].map((session) => session.close()))
    },
  }
}

/** Whoever only watches cannot stop anything. */
function quietly(tell: GatewayOptions['onEvent']): GatewayContext['emit'] {
  return (news) => {
    try {
      tell?.(news)
    } catch {
      // Its own affair.
    }
  }
}
