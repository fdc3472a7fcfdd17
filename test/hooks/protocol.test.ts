import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../src/contract/unions.js'
import { fromProtocolOutput } from '../../src/hooks/protocol-output.js'

const read = (output: unknown, event: HookEvent = 'pre_tool_use') =>
  fromProtocolOutput(Buffer.from(JSON.stringify(output)), event)

const specific = (fields: object) => ({ hookSpecificOutput: fields })

describe('the answer of a program', () => {
  it.each<[string, HookEvent, unknown, unknown]>([
    ['nothing', 'pre_tool_use', {}, {}],
    ['a message', 'pre_tool_use', { systemMessage: 'm' }, { message: 'm' }],
    ['progress', 'post_tool_use', { progress: 'p' }, { progress: 'p' }],
    ['progress, further in', 'post_tool_use', specific({ progress: 'p' }), { progress: 'p' }],
    ['a stop', 'pre_tool_use', { continue: false, stopReason: 's' }, { stop: { reason: 's' } }],
    ['a stop without words', 'pre_tool_use', { continue: false }, { stop: { reason: 'no reason given' } }],
    ['going on', 'pre_tool_use', { continue: true, stopReason: 's', suppressOutput: true }, {}],
    [
      'the older block',
      'pre_tool_use',
      { decision: 'block', reason: 'r' },
      { permission: { behavior: 'deny', message: 'r' } },
    ],
    ['the older approve', 'pre_tool_use', { decision: 'approve' }, { permission: { behavior: 'allow' } }],
    [
      'the older block, after',
      'post_tool_use',
      { decision: 'block', reason: 'r' },
      { additionalContext: ['r'] },
    ],
    ['the older approve, after', 'post_tool_use', { decision: 'approve' }, {}],
    [
      'the older block of keeping',
      'result_persistence',
      { decision: 'block', reason: 'r' },
      { persistence: { strategy: 'never_persist', reason: 'r' } },
    ],
    [
      'the older block of what is decided',
      'permission_decision',
      { decision: 'block', reason: 'r' },
      { message: 'r' },
    ],
    [
      'allow',
      'pre_tool_use',
      specific({ permissionDecision: 'allow' }),
      { permission: { behavior: 'allow' } },
    ],
    [
      'ask',
      'pre_tool_use',
      specific({ permissionDecision: 'ask', permissionDecisionReason: 'w' }),
      { permission: { behavior: 'ask', message: 'w' } },
    ],
    [
      'defer',
      'pre_tool_use',
      specific({ permissionDecision: 'defer' }),
      { permission: { behavior: 'passthrough' } },
    ],
    ['a new input', 'pre_tool_use', specific({ updatedInput: { a: 1 } }), { updatedInput: { a: 1 } }],
    ['context', 'pre_tool_use', specific({ additionalContext: 'c' }), { additionalContext: 'c' }],
    [
      'contexts',
      'pre_tool_use',
      specific({ additionalContext: ['c', 'd'] }),
      { additionalContext: ['c', 'd'] },
    ],
    ['a new output', 'post_tool_use', specific({ updatedOutput: [1] }), { updatedOutput: [1] }],
    [
      'a new output of a remote tool',
      'post_tool_use',
      specific({ updatedMCPToolOutput: 'o' }),
      { updatedOutput: 'o' },
    ],
    [
      'a person’s yes',
      'permission_request',
      specific({ decision: { behavior: 'allow', updatedInput: { a: 1 } } }),
      { permission: { behavior: 'allow' }, updatedInput: { a: 1 } },
    ],
    [
      'a person’s no',
      'permission_request',
      specific({ decision: { behavior: 'deny', message: 'n' } }),
      { permission: { behavior: 'deny', message: 'n' } },
    ],
    [
      'what is to be kept',
      'result_persistence',
      specific({ persistence: { strategy: 'redact', reason: 'r' } }),
      { persistence: { strategy: 'redact', reason: 'r' } },
    ],
    [
      'fields that are left empty',
      'pre_tool_use',
      { systemMessage: null, decision: null, hookSpecificOutput: { updatedInput: null } },
      {},
    ],
    // Two answers in one: the stricter counts.
    [
      'a block and an allow',
      'pre_tool_use',
      { decision: 'block', ...specific({ permissionDecision: 'allow' }) },
      { permission: { behavior: 'deny' } },
    ],
    [
      'an approve and a deny',
      'pre_tool_use',
      { decision: 'approve', ...specific({ permissionDecision: 'deny' }) },
      { permission: { behavior: 'deny' } },
    ],
    [
      'a block and more context',
      'post_tool_use',
      { decision: 'block', reason: 'r', ...specific({ additionalContext: 'c' }) },
      { additionalContext: ['r', 'c'] },
    ],
  ])('%s', (_what, event, output, answer) => {
    expect(read(output, event)).toEqual({ answer, ignored: [] })
  })

  it.each<[unknown, string]>([
    [{ continue: 0 }, '"continue", which must be true or false'],
    [{ stopReason: [] }, '"stopReason", which must be a text'],
    [{ systemMessage: {} }, '"systemMessage", which must be a text'],
    [{ suppressOutput: 'no' }, '"suppressOutput", which must be true or false'],
    [{ decision: 'deny' }, '"decision", which must be "block" or "approve"'],
    [{ reason: 1 }, '"reason", which must be a text'],
    [{ hookSpecificOutput: [] }, '"hookSpecificOutput", which must be an object'],
    [specific({ permissionDecision: true }), 'permissionDecision", which must be'],
    [specific({ permissionDecisionReason: 1 }), 'permissionDecisionReason", which must be a text'],
    [specific({ additionalContext: [1] }), 'additionalContext", which must be a text or a list of texts'],
    [specific({ decision: 'allow' }), 'hookSpecificOutput.decision", which must be an object'],
    [specific({ decision: {} }), 'a decision without a "behavior"'],
    [specific({ decision: { behavior: 'ask' } }), 'decision.behavior", which must be "allow" or "deny"'],
    [specific({ persistence: 'redact' }), 'persistence", which must be an object'],
    [specific({ hookEventName: 'Stop' }), 'answered for the event "Stop"'],
  ])('%j cannot be read', (output, sentence) => {
    expect(() => read(output)).toThrow(sentence)
  })

  it('unknown fields are named, and truncated', () => {
    const { ignored } = read({
      mood: 1,
      ['k'.repeat(500)]: 1,
      ...specific({ more: 1, decision: { behavior: 'allow', interrupt: true } }),
    })
    expect(ignored).toEqual([
      'mood',
      `${'k'.repeat(60)}…`,
      'hookSpecificOutput.more',
      'hookSpecificOutput.decision.interrupt',
    ])
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`k${index}`, 1]))
    expect(read(many).ignored).toHaveLength(20)
  })

  it('names that objects inherit have no meaning', () => {
    expect(fromProtocolOutput(Buffer.from('{"__proto__": {"continue": false}}'), 'pre_tool_use')).toEqual({
      answer: {},
      ignored: ['__proto__'],
    })
  })
})
