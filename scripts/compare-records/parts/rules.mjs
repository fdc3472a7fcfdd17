import { echo, note, objectOf, quiet, text } from './tools.mjs'

function tools({ lib }) {
  const { defineTool } = lib
  const named = (name, more = {}) =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      input: objectOf({ text }, []),
      execute: () => name,
      ...more,
    })
  return [
    echo(lib),
    note(lib),
    named('denied', quiet),
    named('asked'),
    named('undeclared'),
    named('destroys', { isReadOnly: false, isDestructive: true, isOpenWorld: false }),
    named('open_read', { isReadOnly: true, isOpenWorld: true }),
    defineTool({
      name: 'save',
      description: 'Saves a file.',
      isOpenWorld: false,
      input: objectOf({ path: text, text }),
      paths: { path: 'write' },
      execute: ({ text }) => text.length,
    }),
    defineTool({
      name: 'fetch',
      description: 'Fetches a page.',
      isReadOnly: true,
      isOpenWorld: true,
      input: objectOf({ url: text }),
      urls: ['url'],
      execute: () => 'a page',
    }),
    defineTool({
      name: 'shell',
      description: 'Runs a command.',
      kind: 'shell_command',
      input: objectOf({ command: text }),
      command: { field: 'command', shell: 'bash' },
      execute: ({ command }) => command,
    }),
  ]
}

const permission = {
  deny: ['denied', 'Read(.env)', 'fetch(domain:*.internal.example)', 'shell(rm:*)'],
  ask: ['asked', 'save(./kept/**)'],
  allow: [
    'note',
    'save(./open/**)',
    'fetch(domain:example.com)',
    { rule: 'shell(npm run test:*)', reason: 'Tests may run.' },
    { rule: 'destroys', when: { role: 'admin' } },
  ],
}

async function callAll({ call, step }, surface, name) {
  step(`surface ${name}`)
  const named = (tool, input = {}) =>
    call(surface, { name: tool, input }, { label: `${tool} ${JSON.stringify(input)}` })
  for (const tool of ['denied', 'asked', 'undeclared', 'destroys', 'open_read']) await named(tool)
  await named('echo', { text: 'hi' })
  await named('note', { text: 'hi' })
  for (const path of ['open/a.txt', 'kept/a.txt', '../out.txt', '.env', 'open/../kept/b.txt'])
    await named('save', { path, text: 'x' })
  for (const host of ['example.com', 'a.internal.example', 'other.example'])
    await named('fetch', { url: `https://${host}/x` })
  for (const command of ['npm run test:unit', 'rm -rf /', 'ls -l', 'cat .env', 'echo $(rm a)'])
    await named('shell', { command })
  await named('echo', { text: './.env' })
}

export const rules = {
  name: 'rules',
  options: (world) => ({ tools: tools(world), permission }),
  async run(world) {
    const { crib, note: noteValue, step } = world
    await callAll(world, await crib.surface({ session: 's1' }), 'default')
    await callAll(world, await crib.surface({ session: 's2', role: 'admin', mode: 'plan' }), 'plan')
    await callAll(world, await crib.surface({ session: 's3', role: 'admin', approvals: 'none' }), 'admin')
    const strict = { session: 's4', approvalRequired: ['note'], exclude: ['fetch'], mode: 'non_interactive' }
    await callAll(world, await crib.surface(strict), 'strict')
    step('explained')
    noteValue('explained', crib.explain({ tool: 'asked', input: {} }))
    noteValue('rules', crib.policy.describe())
    step('changed rules')
    await crib.policy.update({
      type: 'add_rules',
      behavior: 'allow',
      rules: ['asked'],
      destination: 'session',
    })
    await callAll(world, await crib.surface({ session: 's5' }), 'with a new rule')
  },
}
