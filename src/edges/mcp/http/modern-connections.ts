import type { GatewaySession } from '../gateway.js'
import type { Identity } from '../../server/admission.js'
import type { SessionContext } from './create-legacy-sessions.js'

/** The sessions of the gateway that modern requests use: requests of one token and surface share one. */
export interface ModernConnections {
  /** The session of this caller. It stays open until `release` is called. */
  hold(identity: Identity, now: number): Held | Promise<Held>
  sweep(now: number): void
  closeAll(): Promise<void>
  readonly size: number
}

export interface Held {
  readonly connection: GatewaySession
  release(): void
}

interface Entry extends Held {
  /** Stops listening for the end of the caller's token. */
  forget(): void
  holders: number
  usedAt: number
}

export function createModernConnections({ gateway, settings, report }: SessionContext): ModernConnections {
  const entries = new Map<string, Entry>()
  const opening = new Map<string, Promise<Entry>>()
  const closing = new Set<Promise<void>>()

  const close = (binding: string, entry: Entry) => {
    if (!entries.delete(binding)) return
    entry.forget()
    const done = entry.connection
      .close()
      .catch(report)
      .finally(() => closing.delete(done))
    closing.add(done)
  }
  const open = async (identity: Identity): Promise<Entry> => {
    const { binding, signal } = identity
    const connection = await gateway.open(identity.caller, { era: 'modern' })
    const entry: Entry = {
      connection,
      holders: 0,
      usedAt: 0,
      release: () => (entry.holders -= 1),
      forget: () => signal?.removeEventListener('abort', revoke),
    }
    const revoke = (): void => close(binding, entry)
    makeRoom()
    entries.set(binding, entry)
    signal?.addEventListener('abort', revoke, { once: true })
    if (signal?.aborted) revoke()
    return entry
  }
  const makeRoom = () => {
    if (entries.size < settings.maxSessions) return
    for (const [binding, entry] of entries) if (entry.holders === 0) return close(binding, entry)
  }
  const held = (entry: Entry, now: number): Entry => {
    entry.holders += 1
    entry.usedAt = now
    return entry
  }
  return {
    hold(identity, now) {
      const entry = entries.get(identity.binding)
      if (entry !== undefined) return held(entry, now)
      let pending = opening.get(identity.binding)
      if (pending === undefined) {
        pending = open(identity).finally(() => opening.delete(identity.binding))
        opening.set(identity.binding, pending)
      }
      return pending.then((opened) => held(opened, now))
    },
    sweep(now) {
      for (const [binding, entry] of entries)
        if (entry.holders === 0 && now - entry.usedAt >= settings.sessionIdleMs) close(binding, entry)
    },
    async closeAll() {
      await Promise.allSettled(opening.values())
      for (const [binding, entry] of entries) close(binding, entry)
      await Promise.all(closing)
    },
    get size() {
      return entries.size
    },
  }
}
