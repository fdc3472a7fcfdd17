import { describe, expect, it } from 'vitest'
import type { ToolcribApproval } from '../../../src/contract/objects/toolcrib-approval.js'
import { createQuestionPanel, type QuestionPanel } from '../../../src/edges/cli/approvals/question-panel.js'
import { createStyles } from '../../../src/edges/cli/terminal/styles.js'

function approval(id: string, more: Partial<ToolcribApproval> = {}): ToolcribApproval {
  return {
    schema_version: '0.2.0',
    approval_id: id,
    invocation_id: `inv_${id}`,
    tenant: 'default',
    tool_id: `mcp.book.${id}`,
    tool_fingerprint: 'f',
    input_digest: 'd',
    policy_revision: 'r',
    surface_id: 's',
    session: 'session',
    requested_by: { actor: 'ann', client: 'cursor 1.2', above: [] },
    title: id,
    description: '',
    message: 'No rule allows it.',
    input: { text: 'hello' },
    facts: { is_read_only: false, is_destructive: true, is_open_world: true },
    touches: { reads: [], writes: ['/work/notes'], hosts: ['example.org'] },
    decision: {
      schema_version: '0.2.0',
      decision_id: 'd',
      invocation_id: `inv_${id}`,
      behavior: 'ask',
      decided_at: '2026-01-01T00:00:00Z',
      suggested_updates: [
        { type: 'add_rules', behavior: 'allow', rules: [`mcp.book.${id}`], destination: 'local_settings' },
      ],
    },
    is_editable: true,
    created_at: '2026-01-01T00:00:00Z',
    expires_at: '2026-01-02T00:00:00Z',
    status: 'pending',
    ...more,
  }
}

function panelOf({ rows = 24, mayLeave = false } = {}): QuestionPanel & { wait(): void } {
  let at = 0
  const terminal = { room: () => ({ columns: 79, rows: rows - 1 }), sayStyle: createStyles(false) }
  const panel = createQuestionPanel({ terminal, mayLeave, now: () => at })
  return Object.assign(panel, { wait: () => void (at += 1000) })
}

describe('the question panel', () => {
  it('shows client, tool, input, facts, reason, and what longer answers would allow', () => {
    const panel = panelOf()
    panel.show([approval('write')])
    panel.wait()
    const text = panel.lines().join('\n')
    for (const told of [
      'mcp.book.write needs approval',
      'cursor 1.2, as ann',
      '{"text":"hello"}',
      'may write; destructive',
      'may reach other systems',
      '/work/notes',
      'example.org',
      'No rule allows it.',
      'allow mcp.book.write for this session',
      'allow mcp.book.write in toolcrib.local.yaml',
      'y once | s session | a always | n deny',
    ])
      expect(text).toContain(told)
  })

  it('ignores keys until the question was visible for a moment', () => {
    const panel = panelOf()
    panel.show([approval('write')])
    expect(panel.take('y')).toBeUndefined()
    expect(panel.lines().join('\n')).not.toContain('y once')
    panel.wait()
    expect(panel.take('y')).toMatchObject({ kind: 'approve', scope: 'once' })
  })

  it('a question that was answered elsewhere disappears, and a key for it does not answer the next one', () => {
    const panel = panelOf()
    panel.show([approval('first'), approval('second')])
    panel.wait()
    expect(panel.lines()[0]).toBe('> mcp.book.first  cursor 1.2, as ann')
    panel.show([approval('second')])
    expect(panel.take('y')).toBeUndefined()
    panel.wait()
    expect(panel.take('y')).toMatchObject({ approval: { approval_id: 'second' } })
    panel.show([])
    expect([panel.size, panel.lines(), panel.take('y')]).toEqual([0, [], undefined])
  })

  it('a later question does not change the selection', () => {
    const panel = panelOf()
    panel.show([approval('first'), approval('second')])
    panel.wait()
    panel.take('\u001B[B')
    panel.wait()
    panel.show([approval('first'), approval('second'), approval('third')])
    expect(panel.take('n')).toMatchObject({ kind: 'reject', approval: { approval_id: 'second' } })
    panel.take('j')
    panel.wait()
    expect(panel.take('a')).toMatchObject({ scope: 'always', approval: { approval_id: 'third' } })
    panel.take('1')
    panel.wait()
    expect(panel.take('s')).toMatchObject({ scope: 'session', approval: { approval_id: 'first' } })
  })

  it('a question that does not fit must be shown in full before it can be approved, not before it is rejected', () => {
    const panel = panelOf({ rows: 20 })
    panel.show([approval('write', { input: { text: 'word '.repeat(1000) } })])
    panel.wait()
    expect(panel.lines().length).toBeLessThan(20)
    expect(panel.take('y')).toBeUndefined()
    expect(panel.lines().join('\n')).toContain('Press v to see all of it')
    expect(panel.take('n')).toMatchObject({ kind: 'reject' })
    expect(panel.take('v')).toMatchObject({ kind: 'whole' })
    expect(panel.take('y')).toMatchObject({ kind: 'approve' })
  })

  it('offers only the scopes of the question, and leaves only where that is allowed', () => {
    const plain = approval('write')
    const panel = panelOf({ mayLeave: true })
    panel.show([{ ...plain, decision: { ...plain.decision, suggested_updates: [] } }])
    panel.wait()
    expect(panel.lines().at(-1)).toBe('  y once | n deny | q leave')
    expect([panel.take('a'), panel.take('s'), panel.take('yy'), panel.take('x')]).toEqual(
      Array(4).fill(undefined),
    )
    expect(panel.take('q')).toEqual({ kind: 'leave' })
    expect(panelOf().take('q')).toBeUndefined()
  })

  it('escapes control characters of the caller', () => {
    const panel = panelOf()
    panel.show([approval('write', { requested_by: { actor: 'ann', client: 'a\u001B[2Jb\nc', above: [] } })])
    expect(panel.lines().join('')).not.toContain('\u001B')
  })
})
