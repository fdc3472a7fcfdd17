import { createSession } from './create-session.js'
import { createFirstLists } from './resources/first-lists.js'
import type { Gateway, GatewaySession } from './gateway.js'
import type { GatewayOptions } from './gateway-options.js'
import { createHeldWorks } from './calls/pending-work.js'
import { invalidParams } from './invalid-params.js'
import type { House, Place } from './connection.js'
import { createSharedLogLevel } from './shared-log-level.js'
import { createTaskDesk } from './tasks/tasks.js'
import { createWaitingCalls } from './calls/waiting-calls.js'

const LIST_WAIT_MS = 20_000

/** The protocol's side of the counter: everything that a client may ask for, whatever the transport. */
export function createGateway(options: GatewayOptions): Gateway {
  const { crib, servers, surfaces, now = Date.now, listWaitMs = LIST_WAIT_MS, onWaiting } = options
  const { approvalsCommand = 'toolcrib approvals' } = options
  const sessions = new Set<GatewaySession>()
  const places = new Set<Place>()
  const house: House = {
    crib,
    servers,
    held: createHeldWorks(now),
    waiting: createWaitingCalls({ crib, now, approvalsCommand, onWaiting }),
    approvalsCommand,
    tasks: createTaskDesk({ crib, now }),
    logLevels: createSharedLogLevel(servers),
    now,
    tell: quietly(options.onNews),
    personBehind: (caller) => options.personBehind?.(caller),
    isAlone: ({ caller: { actor, tenant } }) =>
      [...places].every(({ caller }) => caller.actor === actor && caller.tenant === tenant),
    firstLists: createFirstLists({ crib, servers, waitMs: listWaitMs, slow: options.slowServers }),
  }

  return {
    async open(caller, { era, sessionId }) {
      const name = caller.surface ?? 'default'
      const settings = Object.hasOwn(surfaces, name) ? surfaces[name] : undefined
      if (!settings) throw invalidParams(`There is no surface "${name}".`)
      const session: GatewaySession = await createSession(house, {
        caller,
        options,
        settings,
        name,
        era,
        sessionId,
        onOpen: (place) => places.add(place),
        onClose(place) {
          if (place) places.delete(place)
          sessions.delete(session)
        },
      })
      sessions.add(session)
      return session
    },
    async close() {
      house.firstLists.close()
      house.held.close()
      house.waiting.close()
      house.tasks.close()
      await Promise.all([...sessions].map((session) => session.close()))
    },
  }
}

/** Whoever only watches cannot stop anything. */
function quietly(tell: GatewayOptions['onNews']): House['tell'] {
  return (news) => {
    try {
      tell?.(news)
    } catch {
      // Its own affair.
    }
  }
}
