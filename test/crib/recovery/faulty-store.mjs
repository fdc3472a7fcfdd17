/**
 * A store that breaks at a chosen moment. The plan counts the writes and syncs of the wrapped store;
 * `before` breaks instead of the work, `after` breaks although the work was done. What happens then:
 * `throw` fails this once, `die` fails this and everything later, as if the process had been cut off, `kill` is SIGKILL.
 */
export function faultyStore(inner, plan) {
  let count = 0
  let isDead = false

  const broken = () => new Error('the store broke, as planned')

  function strike() {
    if (plan.how === 'kill') process.kill(process.pid, 'SIGKILL')
    if (plan.how === 'die') isDead = true
    throw broken()
  }

  function guard(kind, work) {
    if (isDead) throw broken()
    const isHit = (plan.on === 'any' || plan.on === kind) && ++count === plan.at
    if (isHit && plan.when === 'before') strike()
    const outcome = work()
    if (!isHit) return outcome
    return outcome instanceof Promise ? outcome.then(strike) : strike()
  }

  const reading =
    (method) =>
    async (query, ...rest) => {
      if (isDead) throw broken()
      return inner[method](query, ...rest)
    }

  return {
    name: inner.name,
    location: inner.location,
    files: () => inner.files(),
    open: () => inner.open(),
    now: () => inner.now(),
    write: (group) => {
      if (!plan.isAsync) return guard('write', () => inner.write(group))
      return new Promise(setImmediate).then(() => guard('write', () => inner.write(group)))
    },
    sync: async () => guard('sync', () => inner.sync()),
    readLog: reading('readLog'),
    lastPosition: reading('lastPosition'),
    readStream: reading('readStream'),
    getCall: reading('getCall'),
    listCalls: reading('listCalls'),
    readCalls: reading('readCalls'),
    getDeletedCall: reading('getDeletedCall'),
    listDeletedGroups: reading('listDeletedGroups'),
    readDeletedGroup: reading('readDeletedGroup'),
    getDocument: reading('getDocument'),
    listDocuments: reading('listDocuments'),
    watch: (topics, changed, options) => inner.watch(topics, changed, options),
    close: () => inner.close(),
    /** For tests: how many writes and syncs there were. */
    count: () => count,
    die: () => {
      isDead = true
    },
  }
}
