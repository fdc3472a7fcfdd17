import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { defineTool } from 'toolcrib'
import { parseRecord } from '../../src/contract/index.js'
import { loadCrib } from '../../src/host/load-crib.js'
import { createSettings } from '../policy/settings-fixture.js'
import { versionOf } from '../crib/records/version-of.js'

const CONFIG = `
permission:
  deny:
    - rule: local.files.write_file(./.secrets/**)
      reason: Writes under .secrets are denied by project policy.
  allow:
    - local.files.write_file
`

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
const RULE = 'rule:project_settings:deny:local.files.write_file(./.secrets/**)'

/** The standard's example of a denial: a project forbids writes below a folder, and the agent gets a result. */
async function writeSecret(name = '.secrets/token.txt') {
  const place = createSettings()
  place.write('toolcrib.yaml', CONFIG)
  mkdirSync(join(place.project, '.secrets'))
  const execute = vi.fn(() => 'written')
  const crib = await loadCrib({
    settings: await place.settings(),
    store: 'memory',
    outside: {},
    tools: [
      defineTool({
        namespace: 'local.files',
        name: 'write_file',
        title: 'Write a file',
        description: 'Writes a file.',
        kind: 'file_operation',
        paths: { path: 'write' },
        input: { jsonSchema: { type: 'object', properties: { path: { type: 'string' } } } },
        execute,
      }),
    ],
  })
  const surface = await crib.surface({ scope: 'turn', workspace: place.project })
  const call = crib.call(surface, { name: 'write_file', input: { path: name } })
  const result = await call
  const story = (await crib.story(call.invocationId))!
  const resolved = await Promise.all([RULE, ...(result.policy_refs ?? [])].map((ref) => crib.resolveRef(ref)))
  await crib.close()
  return { path: join(place.project, name), call, result, story, resolved, execute }
}

it('[AT-EX-03] [AT-PERM-01] [AT-PERM-04] [AT-PERM-05] the decision has every field of the example', async () => {
  const { path, call, story } = await writeSecret()
  expect(story.decisions).toEqual([
    {
      schema_version: '0.2.0',
      decision_id: expect.stringMatching(/^perm_/),
      invocation_id: call.invocationId,
      behavior: 'deny',
      mode: 'default',
      source: 'project_settings',
      reason: {
        type: 'rule',
        rule_ref: versionOf(RULE),
        message: expect.stringContaining('Writes under .secrets are denied by project policy.'),
      },
      rule_refs: [versionOf(RULE)],
      policy_refs: [expect.stringMatching(/^policy:/)],
      blocked_path: path,
      decided_at: expect.stringMatching(ISO),
      toolcrib: {
        input_ref: story.invocation.permission_input_ref,
        input_digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
    },
  ])
  expect(parseRecord('tool_permission_decision', story.decisions[0])).toMatchObject({ ok: true })
})

it('[AT-ERR-01] [AT-RES-03] its result has every field of the example, and every ref in it resolves', async () => {
  const { path, call, result, story, resolved, execute } = await writeSecret()
  expect(result).toMatchObject({
    schema_version: '0.2.0',
    result_id: expect.stringMatching(/^res_/),
    invocation_id: call.invocationId,
    status: 'denied',
    is_error: true,
    error: {
      error_class: 'permission_denied',
      error_code: 'toolcrib.permission_denied',
      recoverability: 'change_arguments_or_policy',
      retry_after: null,
      policy_refs: story.decisions[0]!.policy_refs,
      toolcrib: { rule_refs: [versionOf(RULE)], blocked_path: path },
    },
    policy_refs: story.decisions[0]!.policy_refs,
    created_at: expect.stringMatching(ISO),
  })
  expect(parseRecord('tool_result', result)).toMatchObject({ ok: true })
  expect(resolved.every((found) => found !== undefined)).toBe(true)
  expect(execute).not.toHaveBeenCalled()
  expect(existsSync(path)).toBe(false)
  expect(story.invocation).toMatchObject({ status: 'denied' })
  expect(story.invocation).not.toHaveProperty('started_at')
})

it('the agent can explain it, and knows what would help', async () => {
  const { result } = await writeSecret()
  const [said, advice] = result.model_facing_content!
  expect(said!.text).toContain('Writes under .secrets are denied by project policy.')
  expect(advice!.text).toMatch(/tell the person what was denied and by which rule, or change the arguments/)
  expect(result.ui_facing_summary).toMatch(
    /^"write_file \(Write a file\)" was not allowed to do this, so nothing was done\./,
  )
  expect(result.error!.toolcrib!['retry']).toMatchObject({ safe: false, change_arguments: true })
})

it('a forbidden file and a missing one get the same message', async () => {
  const [present, absent] = [await writeSecret('.secrets/here'), await writeSecret('.secrets/not/here')]
  for (const { result } of [present, absent]) expect(result.status).toBe('denied')
  expect(absent.result.ui_facing_summary).toBe(present.result.ui_facing_summary)
  expect(absent.result.error!.message).toBe(present.result.error!.message)
})
