/** The events of all streams of one session, for clients that come back for what they missed. */
export function createEventLog(keep = 1000) {
  const events = []
  let last = 0
  const find = (id) => events.findIndex((event) => event.id === id)
  return {
    storeEvent: (stream, message) => {
      last += 1
      events.push({ id: `${stream}~${last}`, stream, message })
      if (events.length > keep) events.shift()
      return Promise.resolve(`${stream}~${last}`)
    },
    getStreamIdForEventId: (id) => Promise.resolve(events[find(id)]?.stream),
    replayEventsAfter: async (id, { send }) => {
      const at = find(id)
      const { stream } = events[at]
      const missed = events.slice(at + 1).filter((event) => event.stream === stream)
      for (const event of missed) await send(event.id, event.message)
      return stream
    },
  }
}
