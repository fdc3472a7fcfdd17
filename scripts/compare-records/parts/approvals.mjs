import { note, number, objectOf, quiet, text } from './tools.mjs'

const form = {
  jsonSchema: {
    type: 'object',
    properties: { decision: { enum: ['refund', 'refuse'] }, amount: number },
    required: ['decision'],
  },
}

function tools({ lib, clock }) {
  return [
    note(lib),
    lib.defineTool({
      name: 'drop',
      description: 'Drops a table.',
      isReadOnly: false,
      isDestructive: true,
      isOpenWorld: false,
      sensitiveFields: ['password'],
      input: objectOf({ table: text, password: text }, ['table']),
      validate: ({ table }) => table !== 'system' || 'system cannot be dropped',
      execute: ({ table, password }) => {
        clock.pass(5)
        return { dropped: table, with: password }
      },
    }),
    lib.definePersonTool({
      name: 'refund_review',
      description: 'Asks a person whether an order is refunded.',
      input: objectOf({ order: text }),
      output: form,
      queue: 'refunds',
    }),
    lib.defineTool({ name: 'read', description: 'Reads.', ...quiet, execute: () => 'read' }),
  ]
}

/** Calls, waits for the question, and answers it. */
async function answered(world, surface, given, { label, answers }) {
  const { clock, crib, note: noteValue, watch } = world
  const call = crib.call(surface, given)
  const watched = watch(call, { label, isOneOfSeveral: true })
  const question = await call.pending()
  noteValue(`question, ${label}`, question)
  clock.pass(1000)
  for (const answer of answers)
    noteValue(`answer, ${label}`, await crib.approvals.answer(question.approval_id, answer))
  await watched
}

async function answer(world, surface) {
  const { step } = world
  const input = { table: 'users', password: 'hunter22' }
  const drop = { name: 'drop', input }
  const yes = { approved: true, by: 'ann' }
  step('answers')
  await answered(world, surface, drop, { label: 'yes', answers: [yes, yes] })
  await answered(world, surface, drop, {
    label: 'no',
    answers: [{ approved: false, by: 'ben', feedback: 'Use the copy.' }],
  })
  await answered(world, surface, drop, {
    label: 'edited',
    answers: [{ ...yes, input: { table: 'drafts', password: '[redacted]' } }],
  })
  await answered(world, surface, drop, {
    label: 'edited to what is refused',
    answers: [{ ...yes, input: { table: 'system' } }],
  })
  await answered(world, surface, drop, {
    label: 'by others first',
    answers: [{ approved: true, by: 'agent:planner' }, { approved: true, by: 'eve' }, yes],
  })
  const order = { name: 'refund_review', input: { order: 'o-1' } }
  step('forms')
  const content = { decision: 'refund', amount: 12.5 }
  await answered(world, surface, order, {
    label: 'filled',
    answers: [
      { ...yes, content: { decision: 'maybe' } },
      { ...yes, content },
    ],
  })
  await answered(world, surface, order, {
    label: 'refused',
    answers: [{ approved: false, by: 'ann', feedback: 'Ask sales.' }],
  })
  step('for a session')
  await answered(
    world,
    surface,
    { name: 'note', input: { text: 'a' } },
    { label: 'first', answers: [{ ...yes, scope: 'session' }] },
  )
  await world.call(surface, { name: 'note', input: { text: 'b' } }, { label: 'second' })
}

async function leaveWaiting(world, surface) {
  const { crib, note: noteValue, step, watch } = world
  step('canceled while it waits')
  const call = crib.call(surface, { name: 'drop', input: { table: 'a' } })
  const watched = watch(call)
  await call.pending()
  call.cancel()
  await watched
  step('in the background')
  const receipt = await world.call(surface, { name: 'drop', input: { table: 'b' }, runInBackground: true })
  noteValue('receipt', receipt)
  const [waiting] = await crib.approvals.list({ status: 'pending' })
  noteValue('answer', await crib.approvals.answer(waiting.approval_id, { approved: true, by: 'ann' }))
  noteValue('result of the task', await crib.task(receipt.invocation_id).result())
}

async function goOnElsewhere(world) {
  const { note: noteValue, step } = world
  step('left waiting')
  const surface = await world.crib.surface({ session: 's9', actor: 'agent:planner' })
  const left = world.crib.call(surface, { name: 'drop', input: { table: 'c', password: 'hunter22' } })
  const ended = left.catch(({ code, message }) => ({ code, message }))
  const { approval_id: id } = await left.pending()
  world.keep(left.invocationId)
  await world.reopen()
  noteValue('end of the first promise', await ended)
  noteValue('answer', await world.crib.approvals.answer(id, { approved: true, by: 'ben' }))
  noteValue('result', await world.crib.task(left.invocationId).result())
}

export const approvals = {
  name: 'approvals',
  options: (world) => ({ tools: tools(world), reviewers: ['ann', 'ben'] }),
  async run(world) {
    const surface = await world.crib.surface({ session: 's1', actor: 'agent:planner' })
    await answer(world, surface)
    await leaveWaiting(world, surface)
    // A store in memory ends with its crib.
    if (world.kind === 'sqlite') await goOnElsewhere(world)
  },
}
