import { expect, it } from 'vitest'
import { defineHook, defineTool, toolOutput } from '../../src/index.js'
import { seriousProblems } from './support/open-console.js'
import { NARROW, pageWidth, withConsole, type CribConsole } from './support/with-console.js'

/** A script, a picture that would run one, a turn of the direction, a NUL and a very long word. */
const HOSTILE = `<script>document.title='owned'</script><img src=x onerror="alert(1)">\u202Egnp.exe\u0000${'W'.repeat(400)}`

const text = (properties: Record<string, object> = {}) =>
  ({ jsonSchema: { type: 'object', properties } }) as const
const reads = { isReadOnly: true, isOpenWorld: false, isDestructive: false } as const
let failures = 0

const tools = [
  defineTool({
    namespace: 'web',
    name: 'fetch',
    description: 'Fetch a page.',
    input: text({ url: { type: 'string' } }),
    ...reads,
    isIdempotent: true,
    retries: { max: 2, baseMs: 1 },
    execute: async () => {
      if (++failures < 3) throw new Error('the connection was refused')
      return { status: 200 }
    },
  }),
  defineTool({
    namespace: 'disk',
    name: 'remove',
    description: 'Remove a file.',
    input: text({ path: { type: 'string' } }),
    isReadOnly: false,
    isDestructive: true,
    execute: async (input) => ({ removed: (input as { path: string }).path }),
  }),
  defineTool({
    namespace: 'logs',
    name: 'read',
    description: 'Read a log.',
    ...reads,
    execute: async () => Array.from({ length: 10_000 }, (_, at) => `line number ${at + 1}`).join('\n'),
  }),
  defineTool({
    namespace: 'flow',
    name: 'both',
    description: 'Call two tools.',
    ...reads,
    execute: async (_input, { callTool, progress }) => {
      for (let at = 1; at <= 400; at++) progress({ percent: at / 4, message: `step ${at} of 400` })
      await callTool({ name: 'echo.say', input: {} })
      await callTool({ name: 'echo.say', input: {} })
      return toolOutput({
        structured: { done: true },
        artifacts: [{ name: 'report.csv', content: 'a,b\n1,2\n' }],
      })
    },
  }),
  defineTool({
    namespace: 'echo',
    name: 'say',
    title: HOSTILE.slice(0, 60),
    description: 'Say it.',
    input: text({ text: { type: 'string' } }),
    ...reads,
    execute: async (input) => ({ said: input, [HOSTILE.slice(0, 40)]: HOSTILE }),
  }),
  defineTool({
    namespace: 'echo',
    name: 'fail',
    description: 'Fail.',
    input: text({ text: { type: 'string' } }),
    ...reads,
    execute: async () => {
      throw new Error(HOSTILE)
    },
  }),
  {
    ...defineTool({
      namespace: 'desk',
      name: 'book',
      description: 'Book the desk.',
      ...reads,
      locks: () => [{ key: 'desk:7', access: 'write' }],
      execute: () => new Promise((resolve) => setTimeout(resolve, 120)),
    }),
    toolId: 'tool_desk_book',
  },
  defineTool({
    namespace: 'slow',
    name: 'wait',
    description: 'Wait.',
    ...reads,
    execute: async (_input, { signal, progress }) => {
      progress({ percent: 40, message: 'almost half' })
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw new Error('stopped')
    },
  }),
]

const hooks = [
  defineHook({
    id: 'absolute-path',
    event: 'pre_tool_use',
    tools: ['disk.*'],
    run: ({ input }) => ({ updatedInput: { path: `/srv/${(input as { path: string }).path}` } }),
  }),
  defineHook({
    id: 'audit',
    event: 'post_tool_use',
    tools: ['flow.*'],
    run: () => {
      throw new Error('the audit is full')
    },
  }),
]

const permission = {
  allow: ['web.*', 'logs.*', 'flow.*', 'echo.*', 'desk.*', 'slow.*'],
  ask: ['disk.remove'],
  deny: ['disk.remove(path=/srv/etc/**)'],
}

const crib = { tools, hooks, permission, maxProgressPerSecond: Infinity }
const api = { traceUrl: 'https://traces.example.com/{trace_id}' }

withConsole('story', { crib, api }, (console) => {
  const call = async (name: string, input: unknown = {}): Promise<string> => {
    const surface = await console.crib.surface({ actor: 'agent:coder', session: 'ses_1' })
    return (await console.crib.call(surface, { name, input, nativeCallId: 'toolu_1' })).invocation_id
  }

  it('names the lock that a call waited for', async () => {
    const [, id] = await Promise.all([call('desk.book'), call('desk.book')])
    const page = await console.open(`/calls/${id}`)
    await page.getByText('Result: succeeded').waitFor()
    expect(await page.locator('.step-title h3').allTextContents()).toContainEqual(
      expect.stringMatching(/^Waited \d+ ms for the lock desk:7$/),
    )
  })

  it('has one name of the tool, which rules use; its id is in the record', async () => {
    const id = await call('tool_desk_book')
    const page = await console.open(`/calls/${id}`)
    await page.getByRole('heading', { name: 'agent:coder called desk.book' }).waitFor()
    await page
      .getByRole('heading', { name: 'The tool is desk.book and the arguments fit its schema' })
      .waitFor()
    expect(await page.locator('main').textContent()).not.toContain('tool_desk_book')
    await page.getByRole('link', { name: 'Record' }).click()
    await page.getByText('"tool_desk_book"').first().waitFor()
  })

  it('links the trace that the caller was in', async () => {
    const surface = await console.crib.surface({ actor: 'agent:coder' })
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const { invocation_id: id } = await console.crib.call(surface, {
      name: 'echo.say',
      traceParent: `00-${trace}-00f067aa0ba902b7-01`,
    })
    const page = await console.open(`/calls/${id}`)
    const link = page.getByRole('link', { name: trace })
    expect(await link.getAttribute('href')).toBe(`https://traces.example.com/${trace}`)
    expect(await page.getByText('00f067aa0ba902b7').count()).toBe(1)
  })

  it('tells an approved call with the changes of its input and who made them', async () => {
    const id = await approvedCall(console)
    const page = await console.open(`/calls/${id}`)
    await page.getByText('Result: succeeded').waitFor()
    const titles = await page.locator('.step-title h3').allTextContents()
    expect(titles).toEqual([
      'agent:coder called disk.remove',
      'The tool is disk.remove and the arguments fit its schema',
      'Hook absolute-path',
      'The input was changed by the hook absolute-path',
      'A person has to decide',
      'Approval was asked for',
      'The input was changed by the reviewer owner',
      expect.stringMatching(/^The tool ran for /),
      'Result: succeeded',
    ])
    expect(await page.locator('.diff ins').allTextContents()).toEqual([
      expect.stringContaining('/srv/tmp/old'),
      expect.stringContaining('/srv/tmp/old/cache'),
    ])
    await page.getByRole('button', { name: 'Ran', exact: true }).click()
    expect(await page.getByLabel('Input: Ran').textContent()).toContain('/srv/tmp/old/cache')
    await page.getByText('rules are considered as of now').click()
    await page.getByText('by the rules as they are today').waitFor()
    expect(await page.locator('.considered').textContent()).toContain('does not match')
    expect(await page.getByText('toolu_1').count()).toBe(1)
    expect(await seriousProblems(page)).toEqual([])
  })

  it('shows attempts with their errors', async () => {
    const page = await console.open(`/calls/${await call('web.fetch', { url: 'http://127.0.0.1:9' })}`)
    await page.getByText(/Attempt 1 failed after/).waitFor()
    await page.getByText(/Attempt 3 ran for/).waitFor()
    expect(await page.getByText('the connection was refused').count()).toBe(2)
  })

  it('reads a stored result by pages, by line and by search', async () => {
    const page = await console.open(`/calls/${await call('logs.read')}`)
    await page.getByText('The whole output').click()
    const viewer = page.getByRole('region', { name: 'The whole output' })
    await viewer.getByText('lines 1 to 200 of 10,000').waitFor()
    await viewer.getByRole('button', { name: 'Next' }).click()
    await viewer.getByText('line number 201', { exact: true }).waitFor()
    await viewer.getByLabel('Go to line', { exact: true }).fill('2500')
    await page.keyboard.press('Enter')
    expect(await viewer.locator('.content-line.marked').textContent()).toContain('line number 2500')
    await viewer.getByLabel('Search').fill('number 1234')
    await page.keyboard.press('Enter')
    await viewer.getByRole('button', { name: 'Go to line 1234' }).click()
    expect(await viewer.locator('.content-line.marked').textContent()).toContain('line number 1234')
  })

  it('groups progress, draws inner calls as a waterfall, and offers artifacts', async () => {
    const page = await console.open(`/calls/${await call('flow.both')}`, NARROW)
    await page.getByText('400 updates of progress').waitFor()
    await page.getByText('The last 200').click()
    expect(await page.locator('.progress-groups li').count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe('report.csv')
    await page.getByRole('heading', { name: 'Artifact report.csv was created' }).waitFor()
    expect(await page.getByText('The hook "audit" failed: the audit is full.').count()).toBe(1)
    const rows = page.locator('.waterfall tbody tr')
    expect(await rows.count()).toBe(3)
    expect(await pageWidth(page)).toBe(390)
    expect(await seriousProblems(page)).toEqual([])
    await rows.nth(1).getByRole('link').press('Enter')
    await page.getByRole('heading', { name: 'echo.say', level: 1 }).waitFor()
    expect(await page.locator('.waterfall tbody tr').count()).toBe(2)
  })

  it('lists the events, and keeps only those in view in the document', async () => {
    const page = await console.open(`/calls/${await call('flow.both')}?tab=events`)
    await page.getByRole('link', { name: 'tool.invocation.planned' }).press('Enter')
    await page.getByRole('dialog').getByText('"flow.both"').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await page.locator('.table-row').count()).toBeLessThan(80)
  })

  it('follows a call that runs, and cancels it', async () => {
    const surface = await console.crib.surface({ actor: 'agent:coder' })
    const running = console.crib.call(surface, { name: 'slow.wait', input: {} })
    const page = await console.open(`/calls/${running.invocationId}`)
    await page.getByText('almost half').waitFor()
    await page.getByRole('button', { name: 'Cancel the call' }).click()
    await page.getByText('Result: canceled').waitFor()
    expect((await running).status).toBe('canceled')
  })

  it('shows hostile texts of models and tools as text', async () => {
    for (const name of ['echo.say', 'echo.fail']) {
      const page = await console.open(`/calls/${await call(name, { text: HOSTILE })}`, NARROW)
      await page.getByText('Result:').waitFor()
      for (const button of await page.locator('.representations .segments button').all()) await button.click()
      expect(await page.title()).not.toContain('owned')
      expect(await page.locator('main script, main img').count()).toBe(0)
      expect(await page.locator('.hidden-character', { hasText: 'U+202E' }).count()).toBeGreaterThan(0)
      expect(await page.locator('.hidden-character', { hasText: 'U+0000' }).count()).toBeGreaterThan(0)
      const shown = await page.locator('main').textContent()
      expect(['\u202E', '\u0000'].filter((hidden) => shown?.includes(hidden))).toEqual([])
      expect(await pageWidth(page)).toBe(390)
    }
  })

  it('loads more open calls than the server gives at once', async () => {
    const surface = await console.crib.surface({ actor: 'agent:many' })
    const calls = Array.from({ length: 501 }, () =>
      console.crib.call(surface, { name: 'disk.remove', input: { path: 'tmp' } }),
    )
    await expect.poll(() => console.crib.approvals.countWaiting()).toBe(501)
    const page = await console.open('/live?actor=agent:many')
    await page.getByText('0 running, 500 waiting of the newest 500').waitFor()
    await page.getByRole('button', { name: 'Show 500 more' }).click()
    await page.getByText('0 running, 501 waiting', { exact: true }).waitFor()
    for (const { approval_id: id } of await console.crib.approvals.list({ status: 'pending' }))
      await console.crib.approvals.answer(id, { approved: false, by: 'owner' })
    await Promise.all(calls)
  })

  it('says where calls are when there is none with the id', async () => {
    const page = await console.open('/calls/inv_none')
    await page.getByText('There is no such call').waitFor()
  })
})

/** A call that a reviewer approved with another input. */
async function approvedCall({ crib }: CribConsole): Promise<string> {
  const surface = await crib.surface({ actor: 'agent:coder' })
  const call = crib.call(surface, {
    name: 'disk.remove',
    input: { path: 'tmp/old' },
    nativeCallId: 'toolu_1',
  })
  const asked = await new Promise<string>((resolve) => {
    const stop = crib.approvals.watch(({ approval_id: id, status }) => {
      if (status !== 'pending') return
      resolve(id)
      queueMicrotask(() => stop())
    })
  })
  await crib.approvals.answer(asked, { approved: true, by: 'owner', input: { path: '/srv/tmp/old/cache' } })
  return (await call).invocation_id
}
