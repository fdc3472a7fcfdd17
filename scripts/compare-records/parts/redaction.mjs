import { anyObject, objectOf, quiet, text } from './tools.mjs'

const KEY = 'AKIA7QXGRZ4TX5WVN2LK'
const inputs = {
  'a key in a text': { text: `use ${KEY} now` },
  'a key as a value': { text: 'none', key: KEY },
  'a named secret': { text: 'none', api_key: 'sk-9f8e7d6c5b4a39281706' },
  'a key as the name of a member': { text: 'none', [KEY]: 1 },
  'a secret of the house': { text: 'say a word of the house twice: a word of the house' },
  'a secret of the environment': { text: 'under the plum tree by the lake' },
  'no secret': { text: 'hunters like plums' },
  'a number like a secret': { text: 'none', token: 1234567890123456 },
  'a header': {
    text: 'Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r',
  },
  'a URL': { text: 'postgres://ana:s3cr3t-pass@db.example.com/app' },
  'a private key': {
    text: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END PRIVATE KEY-----',
  },
  'personal data': { text: 'ana@example.com, 4111 1111 1111 1111' },
}

function tools({ lib }) {
  const { defineTool, toolFailure, toolOutput } = lib
  return [
    defineTool({
      name: 'tell',
      description: 'Says what it was told.',
      ...quiet,
      input: anyObject,
      execute: (input) => input,
    }),
    defineTool({
      name: 'say',
      description: 'Says a text.',
      ...quiet,
      input: anyObject,
      execute: ({ text }) => text,
    }),
    defineTool({
      name: 'login',
      description: `Logs in with ${KEY}.`,
      ...quiet,
      input: { jsonSchema: { type: 'object', properties: { password: text, headers: { type: 'object' } } } },
      sensitiveFields: ['password', 'headers.*'],
      sensitiveOutputFields: ['session'],
      execute: ({ password, headers }, context) => {
        context.hide('one-time-4711')
        context.progress(`with ${password}`)
        return { session: 's-1', said: `${password}, one-time-4711, ${JSON.stringify(headers)}` }
      },
    }),
    defineTool({
      name: 'fail',
      description: 'Fails with a secret.',
      ...quiet,
      input: objectOf({ text }),
      execute: ({ text }) => {
        throw toolFailure('dependency_unavailable', `No answer for ${text}`)
      },
    }),
    defineTool({
      name: 'blocks',
      description: 'Has a secret in one block.',
      ...quiet,
      execute: () =>
        toolOutput({
          content: [
            { type: 'text', text: 'nothing here' },
            { type: 'text', text: `token: ${KEY}` },
          ],
          structured: { deep: [{ list: ['a', KEY] }] },
        }),
    }),
  ]
}

async function run(world) {
  const { call, crib, step } = world
  for (const way of ['mask', 'drop', 'hash', 'protect']) {
    const surface = await crib.surface({ session: way, redaction: way })
    for (const [name, input] of Object.entries(inputs)) {
      step(`${way}, ${name}`)
      await call(surface, { name: 'tell', input }, { label: 'structured' })
      await call(surface, { name: 'say', input }, { label: 'text' })
    }
    step(`${way}, others`)
    const input = { password: 'hunter22', headers: { a: 'private-a' }, note: 'hunter22' }
    await call(surface, { name: 'login', input }, { label: 'declared fields' })
    await call(surface, { name: 'fail', input: { text: KEY } }, { label: 'a failure' })
    await call(surface, { name: 'blocks' }, { label: 'blocks' })
    await call(surface, { name: 'blocks', nativeCallId: KEY }, { label: 'in the id of the caller' })
    await call(surface, { name: KEY }, { label: 'in the name' })
  }
}

export const redaction = {
  name: 'redaction',
  options: (world) => ({
    tools: tools(world),
    redaction: {
      secrets: ['a word of the house'],
      pii: ['email', 'credit_card'],
      readers: ['person:ada'],
    },
  }),
  run,
}
