import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { defineTool } from '../../../src/index.js'
import { openApi } from './support/open-api.js'
import { openServedApi } from './support/open-served-api.js'

const send = defineTool({
  namespace: 'mail',
  name: 'send',
  description: 'Send a message.',
  input: { jsonSchema: { type: 'object', properties: { to: { type: 'string' } } } },
  execute: () => 'sent',
})

const CONFIG = `permission:
  deny:
    - { rule: Bash(rm *), reason: No removals., match: rm -rf x, not_match: [ls] }
  ask: [Bash(]
`

it('lists the rules with their places, examples, problems and destinations', async () => {
  const { ask, configPath } = await openServedApi(CONFIG)
  const { body } = await ask('auditor', 'GET', '/rules')
  expect(body).toMatchObject({
    mode: 'default',
    destinations: ['session', 'local_settings', 'project_settings', 'user_settings'],
    items: [
      {
        behavior: 'deny',
        text: 'Bash(rm *)',
        source: 'project_settings',
        path: configPath,
        line: 3,
        reason: 'No removals.',
        match: ['rm -rf x'],
        not_match: ['ls'],
        tests: [
          { example: 'rm -rf x', should_match: true, passes: true },
          { example: 'ls', should_match: false, passes: true },
        ],
        is_session: false,
      },
      { behavior: 'ask', text: 'Bash(', problem: expect.any(String) as string },
    ],
    problems: [{ file: configPath, line: 4, message: expect.stringContaining('Bash(') as string }],
  })
  expect((await ask('agent', 'GET', '/rules')).status).toBe(403)
  expect((await ask('stranger', 'GET', '/rules')).status).toBe(403)
})

it('adds a rule to a file with its reason, and removes it', async () => {
  const { ask, configPath } = await openServedApi('permission:\n  deny: [Bash] # no shell\n')
  const before = (await ask('operator', 'GET', '/rules')).body as { revision: string }
  const rule = { behavior: 'allow', rule: 'mail.send', destination: 'project_settings' }
  const added = await ask('operator', 'POST', '/rules', { body: { ...rule, reason: 'It is safe.' } })
  expect(added.status).toBe(200)
  expect((added.body as { revision: string }).revision).not.toBe(before.revision)
  expect(readFileSync(configPath, 'utf8')).toBe(
    'permission:\n  deny: [Bash] # no shell\n  allow:\n    - rule: mail.send\n      reason: It is safe.\n',
  )
  expect((await ask('operator', 'GET', '/rules')).body).toMatchObject({
    items: [{ text: 'Bash' }, { text: 'mail.send', reason: 'It is safe.', line: 4 }],
    problems: [],
  })
  const replaces = { behavior: 'allow', rule: 'mail.send' }
  const body = { ...rule, reason: 'People agreed.', replaces }
  expect((await ask('operator', 'POST', '/rules', { body })).status).toBe(200)
  expect(readFileSync(configPath, 'utf8')).toBe(
    'permission:\n  deny: [Bash] # no shell\n  allow:\n    - rule: mail.send\n      reason: People agreed.\n',
  )
  const unknown = { ...rule, replaces: { behavior: 'ask', rule: 'mail.send' } }
  expect((await ask('operator', 'POST', '/rules', { body: unknown })).status).toBe(409)
  const removed = await ask('operator', 'POST', '/rules/remove', { body: rule })
  expect(removed.body).toEqual({ revision: before.revision })
  expect((await ask('operator', 'POST', '/rules/remove', { body: rule })).status).toBe(409)
})

it('replaces a rule in its place, with its examples, its comment and everything around it', async () => {
  const text = (rule: string, reason: string): string =>
    `permission:
  deny:
    # The trash is safer.
    - rule: ${rule}
      reason: ${reason} # as agreed
      match: ['rm -rf x']
    - Read(.env)
builtins: { files: { roots: [.,
  ./other] } }
`
  const { ask, configPath } = await openServedApi(text('Bash(rm:*)', 'No.'))
  const to = { behavior: 'deny', rule: 'Bash(rm -rf:*)', reason: 'Never.', destination: 'project_settings' }
  const body = { ...to, replaces: { behavior: 'deny', rule: 'Bash(rm:*)' } }
  expect((await ask('auditor', 'POST', '/rules', { body })).status).toBe(403)
  expect((await ask('operator', 'POST', '/rules', { body })).status).toBe(200)
  expect(readFileSync(configPath, 'utf8')).toBe(text('Bash(rm -rf:*)', 'Never.'))
  expect((await ask('operator', 'POST', '/rules', { body })).status).toBe(409)
  expect((await ask('operator', 'GET', '/rules')).body).toMatchObject({
    items: [{ text: 'Bash(rm -rf:*)', reason: 'Never.', tests: [{ passes: true }] }, { text: 'Read(.env)' }],
  })
})

it('adds a rule for the time that the server runs', async () => {
  const { ask, crib } = await openApi({ tools: [send] })
  const rule = { behavior: 'deny', rule: 'mail.send', destination: 'session', reason: 'Not now.' }
  expect((await ask('operator', 'POST', '/rules', { body: rule })).status).toBe(200)
  expect(crib.explain({ tool: 'mail.send' })).toMatchObject({ behavior: 'deny' })
  expect((await ask('reviewer', 'GET', '/rules')).body).toMatchObject({
    items: [{ text: 'mail.send', is_session: true, reason: 'Not now.' }],
  })
})

it.each([
  ['auditor', { behavior: 'deny', rule: 'Bash', destination: 'session' }, 403],
  ['stranger', { behavior: 'deny', rule: 'Bash', destination: 'session' }, 403],
  ['operator', { behavior: 'deny', rule: 'Bash(', destination: 'session' }, 400],
  ['operator', { behavior: 'deny', rule: 'Bash', destination: 'user_settings' }, 400],
  ['operator', { behavior: 'maybe', rule: 'Bash', destination: 'session' }, 400],
  ['operator', { behavior: 'deny', rule: 'Bash' }, 400],
])('%s adding %j is answered with %i', async (as, body, status) => {
  const { ask, crib } = await openApi()
  expect((await ask(as, 'POST', '/rules', { body })).status).toBe(status)
  expect(crib.policy.rules()).toEqual([])
})

it('previews which of the last calls would be decided otherwise', async () => {
  const { ask } = await openApi({ tools: [send], permission: { allow: ['mail.send'] } })
  for (const to of ['a@example.com', 'b@example.org'])
    await ask('agent', 'POST', '/calls', { body: { tool: 'mail.send', input: { to } } })
  const preview = await ask('operator', 'POST', '/rules/preview', {
    body: {
      add: [
        { behavior: 'deny', rule: 'mail.send(to ~ *.com)' },
        { behavior: 'deny', rule: 'x(' },
      ],
    },
  })
  expect(preview.body).toMatchObject({
    examined: 2,
    not_examined: 0,
    changed: [{ tool_id: 'mail.send', tool_name: 'mail.send', before: 'allow', after: 'deny' }],
    problems: [expect.stringContaining('"x("') as string],
  })
  expect((await ask('operator', 'POST', '/rules/preview', { body: { limit: 1001 } })).status).toBe(400)
  expect((await ask('reviewer', 'POST', '/rules/preview', { body: {} })).status).toBe(403)
})

it('explains a call that nobody makes', async () => {
  const { ask } = await openApi({ tools: [send], permission: { deny: ['mail.send(to ~ *.com)'] } })
  const { body } = await ask('reviewer', 'POST', '/explain', {
    body: { tool: 'mail.send', input: { to: 'a@example.com' } },
  })
  expect(body).toMatchObject({ tool_name: 'mail.send', behavior: 'deny', considered: [{ matched: 'yes' }] })
  expect((await ask('agent', 'POST', '/explain', { body: { tool: 'mail.send' } })).status).toBe(403)
  // The rules are those of the server.
  const elsewhere = await ask('stranger', 'POST', '/explain', {
    body: { tool: 'mail.send', input: { to: 'a@example.com' } },
  })
  expect(elsewhere.body).toMatchObject({ behavior: 'deny', considered: [], what_would_change: [] })
  expect(elsewhere.body).not.toHaveProperty('winning_rule')
})

it('lists the hooks in their order, without secrets', async () => {
  const { ask } = await openServedApi(
    `hooks:
  - { id: later, event: post_tool_use, url: "https://hooks.example/a", headers: { authorization: "Bearer k9Zq81LmTx04vBn7" } }
  - { id: first, event: pre_tool_use, order: 1, command: ./check.sh, args: [], tools: [mail.send] }
`,
    (folder) => folder.write('check.sh', '#!/bin/sh\n'),
  )
  const { body } = await ask('auditor', 'GET', '/hooks')
  expect(body).toMatchObject({
    items: [
      { id: 'first', event: 'pre_tool_use', matching_tools: [] },
      { id: 'later', event: 'post_tool_use', url: 'https://hooks.example/a' },
    ],
  })
  expect(JSON.stringify(body)).not.toContain('k9Zq81LmTx04vBn7')
  expect((await ask('stranger', 'GET', '/hooks')).status).toBe(403)
})
