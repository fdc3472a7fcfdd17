import type { Grant, GrantPlace, TokenStorage } from './token-storage.js'

/** Grants that end with the process. */
export function memoryTokenStorage(): TokenStorage {
  const grants = new Map<string, Grant>()
  const turns = new Map<string, Promise<unknown>>()
  const keyOf = ({ user, url }: GrantPlace): string => JSON.stringify([user, url])
  return {
    load: async (place) => grants.get(keyOf(place)),
    save: async (grant) => void grants.set(keyOf(grant), grant),
    remove: async (place) => grants.delete(keyOf(place)),
    exclusively(place, task) {
      const key = keyOf(place)
      const turn = (turns.get(key) ?? Promise.resolve()).then(task, task)
      turns.set(key, turn)
      return turn.finally(() => {
        if (turns.get(key) === turn) turns.delete(key)
      })
    },
  }
}
