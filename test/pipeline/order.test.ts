import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { defineHook, defineTool } from 'toolcrib'
import { afterChangedInput, order } from '../../src/pipeline/order.js'
import { pipelinePhases } from '../../src/contract/unions.js'
import { openCrib } from '../scenarios/open-crib.js'

describe('[AT-PIPE-01] the order of the phases', () => {
  it('is that of the standard', () => {
    expect(order.map(({ name }) => name)).toEqual([
      'resolve_tool',
      'parse_schema',
      'validate_values',
      'prepare_observable_input',
      'pre_hooks',
      'permission',
      'schedule',
      'execute',
      'map_result',
      'post_hooks',
      'persist_result',
      'emit_terminal',
    ])
    expect(pipelinePhases).toEqual(order.map(({ name }) => name))
  })

  it('has a file for each phase', () => {
    const files = readdirSync(new URL('../../src/pipeline', import.meta.url), { recursive: true })
    const names = files.map((file) => String(file).split('/').at(-1)!.replace('.ts', '').replaceAll('-', '_'))
    for (const phase of pipelinePhases) expect(names, phase).toContain(phase)
  })

  it('only stops forwards, and returns to the schema after a change', () => {
    const place = (name: string) => order.findIndex((entry) => entry.name === name)
    for (const entry of order.slice(0, -1)) {
      expect(place(entry.onStop), entry.name).toBeGreaterThan(place(entry.name))
    }
    expect(afterChangedInput).toBe('parse_schema')
  })

  it('is the order in which the callbacks of a call run', async () => {
    const seen: string[] = []
    const say = (what: string) => void seen.push(what)
    const crib = await openCrib({
      tools: [
        defineTool({
          name: 't',
          description: 'T.',
          input: {
            validator: (value: unknown) => {
              say('schema')
              return value
            },
            jsonSchema: { type: 'object' },
          },
          validate: () => say('values'),
          preflight: () => say('preflight'),
          denyBeforeIo: false,
          execute: () => {
            say('execute')
            return { a: 1 }
          },
          toModel: () => {
            say('map')
            return 'mapped'
          },
        }),
      ],
      hooks: [
        defineHook({ id: 'pre', event: 'pre_tool_use', run: () => say('pre hook') }),
        defineHook({ id: 'post', event: 'post_tool_use', run: () => say('post hook') }),
      ],
      decider: () => {
        say('permission')
        return { behavior: 'ask' }
      },
      approver: () => {
        say('approver')
        return { approved: true }
      },
    })
    const call = crib.call(await crib.surface({ scope: 'turn' }), { name: 't' })
    expect((await call).status).toBe('succeeded')
    expect([...new Set(seen)]).toEqual([
      'schema',
      'values',
      'preflight',
      'pre hook',
      'permission',
      'approver',
      'execute',
      'map',
      'post hook',
    ])
    const { status_transitions: transitions } = (await crib.invocation(call.invocationId))!
    // [AT-LIFE-01]: named states, each with its predecessor.
    expect(transitions!.map(({ from, to }) => `${from ?? ''}>${to}`)).toEqual([
      '>planned',
      'planned>selected',
      'selected>arguments_ready',
      'arguments_ready>pre_hooks_running',
      'pre_hooks_running>awaiting_approval',
      'awaiting_approval>approved',
      'approved>running',
      'running>post_hooks_running',
      'post_hooks_running>succeeded',
    ])
  })
})
