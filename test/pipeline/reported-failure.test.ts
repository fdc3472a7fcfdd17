import { expect, it } from 'vitest'
import { defineTool, toolOutput } from 'toolcrib'
import { onBothStores, openCrib } from '../scenarios/open-crib.js'

const output = { jsonSchema: { type: 'object', required: ['sum'], properties: { sum: { type: 'number' } } } }

onBothStores('a tool that reports a failure', (newStore) => {
  async function give(execute: () => unknown) {
    const crib = await openCrib({
      store: newStore(),
      tools: [
        defineTool({
          name: 'give',
          description: 'Gives.',
          isReadOnly: true,
          isOpenWorld: false,
          output,
          execute: execute as () => { sum: number },
        }),
      ],
    })
    const made = crib.call(await crib.surface({ scope: 'turn' }), { name: 'give' })
    return { result: await made, recorded: await crib.result(made.invocationId) }
  }

  it('keeps its own text and blocks, and need not fit its output schema', async () => {
    const content = [{ type: 'text' as const, text: 'no such row', annotations: { audience: ['user'] } }]
    const { result, recorded } = await give(() => toolOutput({ content, failure: 'no such row' }))
    expect(result).toMatchObject({
      status: 'failed',
      is_error: true,
      content,
      error: {
        error_class: 'execution_failed',
        error_code: 'toolcrib.tool_said_error',
        message: 'no such row',
      },
    })
    expect(recorded).toEqual(result)
  })

  it('the native fields of its protocol are recorded', async () => {
    const native = { source: 'mcp', jsonrpc_request_id: 7, _meta: { 'x/y': 1 } }
    const { result, recorded } = await give(() => toolOutput({ content: [], structured: { sum: 3 }, native }))
    expect(result).toMatchObject({
      status: 'succeeded',
      structured_content: { sum: 3 },
      toolcrib: { native },
    })
    expect(result.content).toEqual([])
    expect(result.model_facing_content).toEqual([{ type: 'text', text: '{"sum":3}' }])
    expect(recorded).toEqual(result)
  })

  it('a secret in its message or native fields is redacted', async () => {
    const secret = ['ghp', 'w8KpZ3vRq7LmX2cTn5YbJ9dFs4HgA1eU6oQi'].join('_')
    const { result } = await give(() =>
      toolOutput({
        content: [],
        failure: `bad token ${secret}`,
        native: { source: 'mcp', meta: { token: secret } },
      }),
    )
    expect(JSON.stringify(result)).not.toContain(secret)
  })
})
