import { createSession } from './create-session.js'
import { createFirstLists } from './resources/first-lists.js'
import type { Gateway, GatewaySession } from './gateway.js'
import type { GatewayOptions, SurfaceLookup } from './gateway-options.js'
import { createPendingWork } from './calls/pending-work.js'
import { invalidParams } from './invalid-params.js'
import type { Connection } from './connection.js'
import type { GatewayState } from './served-connection.js'
import { createSharedLogLevel } from './shared-log-level.js'
import { createTaskStore } from './tasks/tasks.js'
import { createWaitingCalls } from './calls/waiting-calls.js'

const LIST_WAIT_MS = 20_000

/** The gateway without a transport: it answers every method of the protocol. */
export function createGateway(options: GatewayOptions): Gateway {
  const { crib, servers, surfaces, now = Date.now, listWaitMs = LIST_WAIT_MS, onWaiting } = options
  const { approvalsCommand = 'toolcrib approvals' } = options
  const lookUp: SurfaceLookup =
    typeof surfaces === 'function'
      ? surfaces
      : (name) => (Object.hasOwn(surfaces, name) ? surfaces[name] : undefined)
  const sessions = new Set<GatewaySession>()
  const connections = new Set<Connection>()
  const gateway: GatewayState = {
    crib,
    servers,
    pendingWork: createPendingWork(now),
    waiting: createWaitingCalls({ crib, now, approvalsCommand, onWaiting }),
    approvalsCommand,
    tasks: createTaskStore({ crib, now }),
    logLevels: createSharedLogLevel(servers),
    now,
    emit: ignoringErrors(options.onEvent),
    personBehind: (caller) => options.personBehind?.(caller),
    isAlone: ({ caller: { actor, tenant } }) =>
      [...connections].every(({ caller }) => caller.actor === actor && caller.tenant === tenant),
    firstLists: createFirstLists({ crib, servers, waitMs: listWaitMs, slow: options.slowServers }),
  }
  // Reminders of waiting questions go to the same listener.
  const stopReminding = onWaiting && crib.approvals.watchReminders(onWaiting)

  return {
    async open(caller, { era, sessionId }) {
      const name = caller.surface ?? 'default'
      const settings = lookUp(name)
      if (!settings) throw invalidParams(`There is no surface "${name}".`)
      if ('problem' in settings) throw invalidParams(settings.problem)
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
      stopReminding?.()
      gateway.firstLists.close()
      gateway.pendingWork.close()
      gateway.waiting.close()
      gateway.tasks.close()
      await Promise.all([...sessions].map((session) => session.close()))
    },
  }
}

/** An error of the listener must not stop a call. */
function ignoringErrors(listener: GatewayOptions['onEvent']): GatewayState['emit'] {
  return (event) => {
    try {
      listener?.(event)
    } catch {
      // The listener handles its own errors.
    }
  }
}
